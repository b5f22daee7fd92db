// SPDX-License-Identifier: MIT
#include "driverless/backend.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

namespace compass {
namespace {

/// Lazily mapped zeros, or null and errno.
std::byte* reserve(std::uint64_t size_bytes) {
  void* storage = mmap(nullptr, size_bytes, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return storage == MAP_FAILED ? nullptr : static_cast<std::byte*>(storage);
}

bool is_reserved(const Allocation& allocation) {
  return allocation.address < Agent::kReservedEnd &&
         allocation.address + allocation.size_bytes > Agent::kReservedBase;
}

/// Zeros `bytes`. Whole pages are given back to the system, which costs no memory and no time.
void zero(std::span<std::byte> bytes) {
  const auto page = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  const auto address = reinterpret_cast<std::uintptr_t>(bytes.data());
  const std::uint64_t head = std::min<std::uint64_t>((page - address % page) % page, bytes.size());
  const std::uint64_t whole = (bytes.size() - head) / page * page;
  if (whole == 0 || madvise(bytes.data() + head, whole, MADV_DONTNEED) != 0) {
    std::memset(bytes.data(), 0, bytes.size());
    return;
  }
  std::memset(bytes.data(), 0, head);
  std::memset(bytes.data() + head + whole, 0, bytes.size() - head - whole);
}

UnknownCause because(std::string cause) {
  return std::make_shared<const std::string>(std::move(cause));
}

}  // namespace

void DriverlessBackend::Unmap::operator()(std::byte* storage) const {
  CHECK(munmap(storage, size_bytes) == 0);
}

DriverlessBackend::DriverlessBackend(const arch::Architecture& architecture, std::string decoder,
                                     Observer& observer)
    : observer_(observer), agent_(architecture, std::move(decoder)) {}

Result<void> DriverlessBackend::allocate(const Allocation& allocation) {
  if (held_.contains(allocation.id)) {
    return Error{ErrorCode::kCorrupt,
                 concat("allocation ", allocation.id.value, " is allocated a second time")};
  }
  if (is_reserved(allocation)) {
    return Error{ErrorCode::kUnsupported,
                 concat("allocation ", allocation.id.value, " was recorded at ",
                        hex(allocation.address.value), ", but addresses from ",
                        hex(Agent::kReservedBase.value), " up to ", hex(Agent::kReservedEnd.value),
                        " are kept for code and arguments")};
  }
  Held held;
  held.allocation = allocation;
  if (allocation.size_bytes != 0) {
    std::byte* storage = reserve(allocation.size_bytes);
    if (storage == nullptr) {
      return Error{ErrorCode::kSystem,
                   concat("cannot map ", allocation.size_bytes, " bytes for allocation ",
                          allocation.id.value, ": ", std::strerror(errno))};
    }
    held.storage = {storage, Unmap{allocation.size_bytes}};
    const bool is_device = allocation.kind == AllocationKind::kDevice;
    auto mapped = agent_.memory().map({allocation.address, allocation.size_bytes, storage,
                                       is_device ? RegionKind::kDevice : RegionKind::kPinnedHost,
                                       allocation.id, allocation.generation});
    if (!mapped) return std::move(mapped).error().with(label_of(allocation));
  }
  held_.emplace(allocation.id, std::move(held));
  return {};
}

Result<void> DriverlessBackend::free(AllocationId allocation) {
  ASSIGN_OR_RETURN(const Held* found, find(allocation));
  Held& held = held_.at(found->allocation.id);
  if (held.storage) {
    ASSIGN_OR_RETURN([[maybe_unused]] const Region region,
                     agent_.memory().unmap(held.allocation.address));
  } else if (held.allocation.size_bytes != 0) {
    return Error{ErrorCode::kCorrupt,
                 concat("allocation ", allocation.value, " is freed a second time")};
  }
  held.storage.reset();
  unknown_.remove(allocation);
  return {};
}

Result<void> DriverlessBackend::load(const CodeObject& code_object, ByteView elf,
                                     std::span<const Kernel> kernels) {
  auto loaded = agent_.load(elf);
  if (loaded) code_objects_[code_object.id] = *loaded;
  for (const Kernel& kernel : kernels) {
    PlayedKernel& played = kernels_[kernel.id];
    played = {kernel, nullptr, {}};
    if (loaded) {
      played.loaded = Agent::find_kernel(**loaded, kernel.name);
      played.cause = "its code object has no kernel of this name";
    } else {
      played.cause = concat("its code object cannot be loaded: ", loaded.error().message);
    }
  }
  return {};
}

Result<void> DriverlessBackend::unload(CodeObjectId code_object) {
  const auto found = code_objects_.find(code_object);
  if (found == code_objects_.end()) return {};  // it could not be loaded
  for (auto& [id, played] : kernels_) {
    if (played.metadata.code_object != code_object) continue;
    played.loaded = nullptr;
    played.cause = "its code object was unloaded";
  }
  agent_.unload(found->second);
  code_objects_.erase(found);
  return {};
}

Result<const DriverlessBackend::Held*> DriverlessBackend::find(AllocationId allocation) const {
  const auto found = held_.find(allocation);
  if (found != held_.end()) return &found->second;
  return Error{ErrorCode::kCorrupt,
               concat("allocation ", allocation.value, " is used before it is allocated")};
}

/// The storage of what of [place, place + size_bytes) is live memory of the allocation. Whatever is
/// not is reported as a fault.
Result<std::span<std::byte>> DriverlessBackend::touch(MemoryRef place, std::uint64_t size_bytes,
                                                      AccessKind access) {
  std::span<std::byte> live;
  TransferFault fault{FaultKind::kOutOfBounds, access, record_, place, size_bytes, 0};
  if (place.allocation) {
    ASSIGN_OR_RETURN(const Held* held, find(place.allocation));
    fault.allocation_bytes = held->allocation.size_bytes;
    if (!held->storage) {
      fault.kind = FaultKind::kUseAfterFree;
    } else if (place.offset_bytes < fault.allocation_bytes) {
      live = {held->storage.get() + place.offset_bytes,
              std::min(size_bytes, fault.allocation_bytes - place.offset_bytes)};
    }
  }
  if (live.size() < size_bytes) observer_.on_transfer_fault(fault);
  return live;
}

Result<DeviceAddress> DriverlessBackend::address_of(MemoryRef place) const {
  ASSIGN_OR_RETURN(const Held* held, find(place.allocation));
  return held->allocation.address + place.offset_bytes;
}

void DriverlessBackend::note(MemoryRef place, std::uint64_t size_bytes, ByteState state) {
  const auto address = address_of(place);
  if (!address || size_bytes == 0) return;
  agent_.memory().note_write(*address, size_bytes, state, static_cast<std::uint32_t>(record_));
}

Result<void> DriverlessBackend::write(StreamId, MemoryRef destination, ByteView bytes) {
  ASSIGN_OR_RETURN(const std::span<std::byte> to,
                   touch(destination, bytes.size(), AccessKind::kStore));
  std::copy_n(bytes.begin(), to.size(), to.begin());
  note(destination, to.size(), ByteState::kKnown);
  unknown_.remove(destination.allocation, destination.offset_bytes,
                  destination.offset_bytes + to.size());
  return {};
}

Result<void> DriverlessBackend::forget(StreamId, MemoryRef destination, std::uint64_t size_bytes) {
  ASSIGN_OR_RETURN(const std::span<std::byte> to,
                   touch(destination, size_bytes, AccessKind::kStore));
  note(destination, to.size(), ByteState::kUnknown);
  unknown_.add(destination.allocation, destination.offset_bytes,
               destination.offset_bytes + to.size(),
               because(concat("the content of the copy in record ", record_, " was not kept")));
  return {};
}

Result<void> DriverlessBackend::copy(StreamId, MemoryRef destination, MemoryRef source,
                                     std::uint64_t size_bytes) {
  ASSIGN_OR_RETURN(const std::span<std::byte> from, touch(source, size_bytes, AccessKind::kLoad));
  ASSIGN_OR_RETURN(const std::span<std::byte> to,
                   touch(destination, size_bytes, AccessKind::kStore));
  const std::uint64_t copied = std::min(from.size(), to.size());
  if (copied != 0) {
    std::memmove(to.data(), from.data(), copied);
    ASSIGN_OR_RETURN(const DeviceAddress target, address_of(destination));
    ASSIGN_OR_RETURN(const DeviceAddress origin, address_of(source));
    agent_.memory().note_copy(target, origin, copied, static_cast<std::uint32_t>(record_));
  }
  if (copied < to.size()) {
    note({destination.allocation, destination.offset_bytes + copied}, to.size() - copied,
         ByteState::kUnknown);
  }
  unknown_.copy(destination.allocation, destination.offset_bytes, source.allocation,
                source.offset_bytes, copied);
  unknown_.add(destination.allocation, destination.offset_bytes + copied,
               destination.offset_bytes + to.size(),
               because(concat("the copy in record ", record_, " leaves its source")));
  return {};
}

Result<void> DriverlessBackend::fill(StreamId, MemoryRef destination, std::uint32_t value,
                                     std::uint32_t value_bytes, std::uint64_t size_bytes) {
  if (value_bytes != 1 && value_bytes != 2 && value_bytes != 4) {
    return Error{ErrorCode::kCorrupt,
                 concat("a fill repeats a value of ", value_bytes, " bytes: expected 1, 2 or 4")};
  }
  ASSIGN_OR_RETURN(const std::span<std::byte> to,
                   touch(destination, size_bytes, AccessKind::kStore));
  if (value == 0) {
    zero(to);
  } else {
    for (std::uint64_t at = 0; at < to.size(); at += value_bytes) {
      std::memcpy(to.data() + at, &value, std::min<std::uint64_t>(value_bytes, to.size() - at));
    }
  }
  note(destination, to.size(), ByteState::kKnown);
  unknown_.remove(destination.allocation, destination.offset_bytes,
                  destination.offset_bytes + to.size());
  return {};
}

Result<Bytes> DriverlessBackend::read(StreamId, MemoryRef source, std::uint64_t size_bytes) {
  ASSIGN_OR_RETURN(const std::span<std::byte> from, touch(source, size_bytes, AccessKind::kLoad));
  return Bytes(from.begin(), from.end());
}

Result<void> DriverlessBackend::dispatch(StreamId, const Launch& launch, std::uint64_t record) {
  const auto found = kernels_.find(launch.kernel);
  if (found == kernels_.end()) {
    return Error{ErrorCode::kCorrupt,
                 concat("kernel ", launch.kernel.value, " is launched before its code is loaded")};
  }
  const PlayedKernel& kernel = found->second;
  const UnknownCause outcome =
      because(concat("the launch in record ", record, " did not run to its end"));
  if (kernel.loaded == nullptr) {
    stop(launch, record, concat(kernel.metadata.canonical, ": ", kernel.cause), outcome);
    return {};
  }
  UnknownCause cause;
  const std::string unknown = unknown_argument(kernel.metadata, launch, cause);
  if (cause) {
    stop(launch, record, concat(kernel.metadata.canonical, ": ", unknown), cause);
    return {};
  }
  ASSIGN_OR_RETURN(const Bytes kernarg, explicit_kernarg(launch));
  const auto finished =
      agent_.dispatch({kernel.loaded, launch.grid_workgroups, launch.workgroup_workitems,
                       launch.dynamic_lds_bytes, kernarg, record},
                      observer_);
  if (!finished) {
    stop(launch, record, concat(kernel.metadata.canonical, ": ", finished.error().message),
         outcome);
  } else if (!*finished) {
    spread(launch, outcome);
  }
  return {};
}

/// Arguments that point into freed memory keep their address: dangling pointers stay dangling.
Result<Bytes> DriverlessBackend::explicit_kernarg(const Launch& launch) const {
  Bytes kernarg;
  for (const LaunchArgument& argument : launch.arguments) {
    std::uint64_t address = argument.memory.offset_bytes;
    ByteView value = argument.bytes;
    if (argument.is_pointer) {
      if (argument.memory.allocation) {
        ASSIGN_OR_RETURN(const Held* held, find(argument.memory.allocation));
        address += held->allocation.address.value;
      }
      value = std::as_bytes(std::span(&address, 1));
    }
    const std::uint64_t end = std::uint64_t{argument.offset_bytes} + value.size();
    if (kernarg.size() < end) kernarg.resize(end);
    std::copy(value.begin(), value.end(), kernarg.begin() + argument.offset_bytes);
  }
  return kernarg;
}

/// The live allocations that the arguments point into, also from inside by-value structures.
std::vector<DriverlessBackend::Reached> DriverlessBackend::reach(const Launch& launch) {
  std::vector<Reached> reached;
  for (const LaunchArgument& argument : launch.arguments) {
    const auto add = [&](AllocationId allocation) {
      const auto held = held_.find(allocation);
      if (held == held_.end() || !held->second.storage) return;
      reached.push_back({argument.offset_bytes, &held->second.allocation});
    };
    if (argument.is_pointer) add(argument.memory.allocation);
    for (std::uint64_t at = 0; at + 8 <= argument.bytes.size(); at += 8) {
      const Region* region =
          agent_.memory().find({compass::load<std::uint64_t>(argument.bytes, at)});
      if (region != nullptr) add(region->id);
    }
  }
  return reached;
}

/// Which argument leads to bytes that were not recorded; `cause` stays null where none does.
std::string DriverlessBackend::unknown_argument(const Kernel& kernel, const Launch& launch,
                                                UnknownCause& cause) {
  for (const auto& [offset_bytes, allocation] : reach(launch)) {
    cause = allocation->kind == AllocationKind::kPinnedHost
                ? because("what the host writes to pinned memory is not recorded")
                : unknown_.find(allocation->id);
    if (!cause) continue;
    return concat("argument ", argument_label(kernel, offset_bytes), " leads to ",
                  label_of(*allocation), ", of which bytes may be unknown: ", *cause);
  }
  return {};
}

void DriverlessBackend::stop(const Launch& launch, std::uint64_t record, const std::string& why,
                             const UnknownCause& outcome) {
  observer_.on_stopped(record, why);
  spread(launch, outcome);
}

/// All that `launch` could have written becomes unknown.
void DriverlessBackend::spread(const Launch& launch, const UnknownCause& cause) {
  for (const Reached& reached : reach(launch)) {
    unknown_.add(reached.allocation->id, 0, reached.allocation->size_bytes, cause);
  }
}

}  // namespace compass
