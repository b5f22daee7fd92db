// SPDX-License-Identifier: MIT
#include "driverless/backend.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

namespace compass {
namespace {

RegionKind region_kind_of(AllocationKind kind) {
  if (kind == AllocationKind::kPinnedHost) return RegionKind::kPinnedHost;
  return kind == AllocationKind::kManaged ? RegionKind::kManaged : RegionKind::kDevice;
}

/// Where variables go whose code object could not be loaded: above the agent's own addresses.
constexpr std::uint64_t kVariableRoomBytes = 4096;

bool is_reserved(const Allocation& allocation) {
  return allocation.address < Agent::kReservedEnd &&
         allocation.address + allocation.size_bytes > Agent::kReservedBase;
}

/// Repeats a value of 8 bytes, as streams write one; the storage knows narrower ones.
void fill_wide(std::span<std::byte> bytes, std::uint64_t value) {
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    bytes[i] = static_cast<std::byte>(value >> (i % sizeof value * 8));
  }
}

}  // namespace

void DriverlessBackend::Release::operator()(std::byte* storage) const {
  if (owner != nullptr) owner->release({storage, size_bytes});
}

DriverlessBackend::DriverlessBackend(const arch::Architecture& architecture, std::string decoder,
                                     Observer& observer)
    : observer_(observer), agent_(architecture, std::move(decoder)) {}

Result<void> DriverlessBackend::allocate(const Allocation& allocation) {
  const auto known = held_.find(allocation.id);
  if (known != held_.end() && !known->second.storage && allocation.size_bytes != 0) {
    held_.erase(known);  // it was freed
  } else if (known != held_.end()) {
    return Error{ErrorCode::kCorrupt,
                 concat("allocation ", allocation.id.value, " is allocated a second time")};
  }
  if (allocation.kind == AllocationKind::kGlobal) return allocate_variable(allocation);
  if (is_reserved(allocation)) {
    return Error{ErrorCode::kUnsupported,
                 concat("allocation ", allocation.id.value, " was recorded at ",
                        hex(allocation.address.value), ", but addresses from ",
                        hex(Agent::kReservedBase.value), " up to ", hex(Agent::kReservedEnd.value),
                        " are kept for code and arguments")};
  }
  if (auto fits = check_fits(allocation); !fits) return fits;
  Held held;
  held.allocation = allocation;
  if (allocation.size_bytes != 0) {
    ASSIGN_OR_RETURN(std::byte* const storage, map(allocation));
    held.storage = {storage, Release{&storage_, allocation.size_bytes}};
  }
  held_bytes_[allocation.kind] += allocation.size_bytes;
  held_.emplace(allocation.id, std::move(held));
  if (!is_device_memory(allocation.kind)) forget_host_memory(allocation);
  return {};
}

/// The storage of what is addressable from here on.
Result<std::byte*> DriverlessBackend::map(const Allocation& allocation) {
  std::byte* const storage = storage_.reserve(allocation.size_bytes);
  if (storage == nullptr) {
    return Error{ErrorCode::kSystem,
                 concat("cannot map ", allocation.size_bytes, " bytes for allocation ",
                        allocation.id.value, ": ", std::strerror(errno))};
  }
  auto mapped =
      agent_.memory().map({allocation.address, allocation.size_bytes, storage,
                           region_kind_of(allocation.kind), allocation.id, allocation.generation});
  if (mapped) {
    const bool is_undefined = is_device_memory(allocation.kind);
    if (is_undefined && poison_ != std::byte{0}) {
      storage_.fill({storage, allocation.size_bytes}, static_cast<std::uint32_t>(poison_), 1);
    }
    return storage;
  }
  storage_.release({storage, allocation.size_bytes});
  return std::move(mapped).error().with(concat("allocation ", allocation.id.value));
}

/// A variable is where its code object was loaded to here. Where that could not be loaded, nobody
/// can run its kernels: the variable is memory of its own then, like any other.
Result<void> DriverlessBackend::allocate_variable(const Allocation& allocation) {
  Held held;
  held.allocation = allocation;
  std::byte* storage = nullptr;
  HostStorage* owner = nullptr;
  const auto code_object = code_objects_.find(allocation.code_object);
  if (code_object == code_objects_.end()) {
    held.allocation.address = next_variable_;
    next_variable_ = next_variable_ + (allocation.size_bytes + kVariableRoomBytes) /
                                          kVariableRoomBytes * kVariableRoomBytes;
    if (auto fits = check_fits(allocation); !fits) return fits;
    ASSIGN_OR_RETURN(storage, map(held.allocation));
    owner = &storage_;
  } else {
    const auto variable =
        agent_.begin_variable(*code_object->second, allocation.symbol, allocation.id);
    if (!variable || variable->size_bytes != allocation.size_bytes) {
      return Error{ErrorCode::kCorrupt, concat("allocation ", allocation.id.value, ": variable ",
                                               allocation.symbol, " of ", allocation.size_bytes,
                                               " bytes is not in its code object, or is taken")};
    }
    held.allocation.address = variable->address;
    storage = agent_.memory().host(variable->address, variable->size_bytes);
  }
  held.storage = {storage, Release{owner, allocation.size_bytes}};
  held_bytes_[allocation.kind] += allocation.size_bytes;
  held_.emplace(allocation.id, std::move(held));
  return {};
}

/// Memory that the host writes unseen is unknown until something that was recorded writes it.
void DriverlessBackend::forget_host_memory(const Allocation& allocation) {
  const UnknownCause cause{UnknownCause::Kind::kPinnedHost, 0};
  constexpr std::uint32_t kNobody = 0;
  agent_.memory().note_write(allocation.address, allocation.size_bytes, ByteState::kUnknown,
                             kNobody);
  causes_.try_emplace(kNobody, cause);
  held_.at(allocation.id).cause = cause;
}

/// What could never have been allocated is not worth the memory that its shadow takes.
Result<void> DriverlessBackend::check_fits(const Allocation& allocation) const {
  constexpr std::uint64_t kMostPinnedBytes = std::uint64_t{4} << 40;
  const bool is_device = is_device_memory(allocation.kind);
  const std::uint64_t most = is_device ? agent_.architecture().memory_bytes : kMostPinnedBytes;
  const auto found = held_bytes_.find(allocation.kind);
  const std::uint64_t held = found == held_bytes_.end() ? 0 : found->second;
  if (allocation.size_bytes <= most - held) return {};
  return Error{
      ErrorCode::kInvalid,
      concat("allocation ", allocation.id.value, " of ", allocation.size_bytes,
             " bytes does not fit: of ", most,
             is_device ? " bytes of the device" : " bytes of the host's", " ", held, " are taken")};
}

Result<void> DriverlessBackend::free(AllocationId allocation) {
  ASSIGN_OR_RETURN(const Held* found, find(allocation));
  Held& held = held_.at(found->allocation.id);
  if (held.storage && held.storage.get_deleter().owner == nullptr) {
    agent_.end_variable(held.allocation.address);
  } else if (held.storage) {
    ASSIGN_OR_RETURN([[maybe_unused]] const Region region,
                     agent_.memory().unmap(held.allocation.address));
  } else if (held.allocation.size_bytes != 0) {
    return Error{ErrorCode::kCorrupt,
                 concat("allocation ", allocation.value, " is freed a second time")};
  }
  held_bytes_[held.allocation.kind] -= held.allocation.size_bytes;
  held.storage.reset();
  return {};
}

Result<void> DriverlessBackend::load(const CodeObject& code_object, ByteView elf,
                                     std::span<const Kernel> kernels) {
  if (code_objects_.contains(code_object.id)) {
    return Error{ErrorCode::kCorrupt,
                 concat("code object ", code_object.id.value, " is loaded a second time")};
  }
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
  for (auto& [id, held] : held_) {  // a recording frees its variables first
    if (held.allocation.code_object != code_object || !held.storage) continue;
    if (auto ended = free(id); !ended) return ended;
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

/// Null where it is freed, empty or not the recording's.
const Region* DriverlessBackend::live_region(AllocationId allocation) const {
  const auto held = held_.find(allocation);
  if (held == held_.end() || !held->second.storage) return nullptr;
  return agent_.memory().find(held->second.allocation.address);
}

void DriverlessBackend::note(MemoryRef place, std::uint64_t size_bytes, ByteState state,
                             UnknownCause cause) {
  const auto address = address_of(place);
  if (!address || size_bytes == 0) return;
  agent_.memory().note_write(*address, size_bytes, state, static_cast<std::uint32_t>(record_));
  if (state != ByteState::kUnknown) return;
  causes_.try_emplace(record_, cause);
  held_.at(place.allocation).cause = cause;
}

Result<void> DriverlessBackend::write(StreamId, MemoryRef destination, ByteView bytes) {
  ASSIGN_OR_RETURN(const std::span<std::byte> to,
                   touch(destination, bytes.size(), AccessKind::kStore));
  std::copy_n(bytes.begin(), to.size(), to.begin());
  note(destination, to.size(), ByteState::kKnown);
  return {};
}

Result<void> DriverlessBackend::forget(StreamId, MemoryRef destination, std::uint64_t size_bytes) {
  ASSIGN_OR_RETURN(const std::span<std::byte> to,
                   touch(destination, size_bytes, AccessKind::kStore));
  note(destination, to.size(), ByteState::kUnknown, {UnknownCause::Kind::kContentNotKept, record_});
  return {};
}

Result<void> DriverlessBackend::copy(StreamId, MemoryRef destination, MemoryRef source,
                                     std::uint64_t size_bytes) {
  ASSIGN_OR_RETURN(const std::span<std::byte> from, touch(source, size_bytes, AccessKind::kLoad));
  ASSIGN_OR_RETURN(const std::span<std::byte> to,
                   touch(destination, size_bytes, AccessKind::kStore));
  const std::uint64_t copied = std::min(from.size(), to.size());
  if (copied != 0) {
    storage_.copy(to.first(copied), from.first(copied));
    note_copy(destination, source, copied);
  }
  note({destination.allocation, destination.offset_bytes + copied}, to.size() - copied,
       ByteState::kUnknown, {UnknownCause::Kind::kLeavesSource, record_});
  return {};
}

/// Both sides are live.
void DriverlessBackend::note_copy(MemoryRef destination, MemoryRef source,
                                  std::uint64_t size_bytes) {
  const Region& from = *live_region(source.allocation);
  const Region& to = *live_region(destination.allocation);
  const std::uint64_t unknown =
      from.shadow->find(source.offset_bytes, size_bytes, ByteState::kUnknown);
  if (unknown != source.offset_bytes + size_bytes) {
    const UnknownCause cause = cause_of(from, unknown);
    causes_.try_emplace(record_, cause);
    held_.at(destination.allocation).cause = cause;
  }
  agent_.memory().note_copy(to.base + destination.offset_bytes, from.base + source.offset_bytes,
                            size_bytes, static_cast<std::uint32_t>(record_));
}

Result<void> DriverlessBackend::fill(StreamId, MemoryRef destination, std::uint64_t value,
                                     std::uint32_t value_bytes, std::uint64_t size_bytes) {
  if (!Fill::is_width(value_bytes)) {
    return Error{ErrorCode::kCorrupt, concat("a fill repeats a value of ", value_bytes,
                                             " bytes: expected 1, 2, 4 or 8")};
  }
  ASSIGN_OR_RETURN(const std::span<std::byte> to,
                   touch(destination, size_bytes, AccessKind::kStore));
  if (value_bytes == sizeof value) {
    fill_wide(to, value);
  } else {
    storage_.fill(to, static_cast<std::uint32_t>(value), value_bytes);
  }
  note(destination, to.size(), ByteState::kKnown);
  return {};
}

Result<void> DriverlessBackend::wait_value(StreamId, const WaitValue& wait) {
  return read_unused({}, wait.place, wait.value_bytes);
}

Result<Bytes> DriverlessBackend::read(StreamId, MemoryRef source, std::uint64_t size_bytes) {
  ASSIGN_OR_RETURN(const std::span<std::byte> from, touch(source, size_bytes, AccessKind::kLoad));
  return Bytes(from.begin(), from.end());
}

Result<Bytes> DriverlessBackend::unknown(MemoryRef source, std::uint64_t size_bytes) {
  Bytes unknown;
  const Region* const region = live_region(source.allocation);
  if (region == nullptr || source.offset_bytes >= region->size_bytes) return unknown;
  const std::uint64_t there = std::min(size_bytes, region->size_bytes - source.offset_bytes);
  if (region->shadow->worst(source.offset_bytes, there) == ByteState::kKnown) return unknown;
  unknown.resize(there);
  for (std::uint64_t n = 0; n < unknown.size(); ++n) {
    const bool is_known = region->shadow->state(source.offset_bytes + n) == ByteState::kKnown;
    unknown[n] = std::byte{is_known ? std::uint8_t{0} : std::uint8_t{1}};
  }
  return unknown;
}

Result<void> DriverlessBackend::read_unused(StreamId, MemoryRef source, std::uint64_t size_bytes) {
  ASSIGN_OR_RETURN([[maybe_unused]] const auto from, touch(source, size_bytes, AccessKind::kLoad));
  return {};
}

}  // namespace compass
