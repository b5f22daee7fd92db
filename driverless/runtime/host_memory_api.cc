// SPDX-License-Identifier: MIT
#include <sys/mman.h>

#include <vector>

#include "driverless/runtime/allocations.h"
#include "driverless/runtime/api.h"
#include "driverless/runtime/runtime.h"

namespace compass::hip {
namespace {

constexpr unsigned kPortable = 0x1;
constexpr unsigned kMapped = 0x2;
constexpr unsigned kWriteCombined = 0x4;
constexpr unsigned kUncached = 0x1000'0000;
constexpr unsigned kNumaUser = 0x2000'0000;
constexpr unsigned kCoherent = 0x4000'0000;
constexpr unsigned kNonCoherent = 0x8000'0000;
constexpr unsigned kAllocFlags = kPortable | kMapped | kWriteCombined | kUncached;
constexpr unsigned kMallocFlags = kAllocFlags | kNumaUser | kCoherent | kNonCoherent;
// Portable, mapped, of a device's I/O space, read-only or coarse-grained, uncached.
constexpr unsigned kRegisterFlags = 0x1 | 0x2 | 0x4 | 0x8 | 0x8000'0000;

constexpr std::uint64_t kPageBytes = 4096;

bool are_malloc_flags(unsigned flags) {
  const unsigned coherence = flags & (kCoherent | kNonCoherent);
  if ((flags & ~kMallocFlags) != 0 || coherence == (kCoherent | kNonCoherent)) return false;
  return (flags & kUncached) == 0 || coherence == 0;
}

Error allocate_pinned(void** pointer, std::size_t size_bytes, unsigned flags) {
  return with_device_uncaptured([&](Device& device) {
    if (pointer == nullptr || !are_malloc_flags(flags)) return kErrorInvalidValue;
    return device.platform.memory.allocate(RegionKind::kPinnedHost, size_bytes, pointer,
                                           {.device_ordinal = device.ordinal, .flags = flags});
  });
}

bool is_pinned(RegionKind kind) { return kind == RegionKind::kPinnedHost; }

/// Whether every page of the range is mapped in this process.
bool is_mapped(const void* pointer, std::size_t size_bytes) {
  const auto start = reinterpret_cast<std::uint64_t>(pointer);
  const std::uint64_t first_page = start / kPageBytes * kPageBytes;
  if (size_bytes > ~start) return false;
  std::vector<unsigned char> residency(1024);
  for (std::uint64_t page = first_page; page < start + size_bytes;) {
    const std::uint64_t length =
        std::min<std::uint64_t>(residency.size() * kPageBytes, start + size_bytes - page);
    // NOLINTNEXTLINE(performance-no-int-to-ptr): the program's
    if (::mincore(reinterpret_cast<void*>(page), length, residency.data()) != 0) return false;
    page += residency.size() * kPageBytes;
  }
  return true;
}

/// The allocation that the host may use, with `pointer` in it.
LiveAllocation find_host_memory(const Device& device, const void* pointer) {
  const LiveAllocation found = device.platform.memory.find(pointer);
  return found && found.region->kind == RegionKind::kPinnedHost ? found : LiveAllocation{};
}

}  // namespace

Error hipHostMalloc(void** pointer, std::size_t size_bytes, unsigned flags) {
  return allocate_pinned(pointer, size_bytes, flags);
}

Error hipExtHostAlloc(void** pointer, std::size_t size_bytes, unsigned flags) {
  return allocate_pinned(pointer, size_bytes, flags);
}

Error hipHostAlloc(void** pointer, std::size_t size_bytes, unsigned flags) {
  if ((flags & ~kAllocFlags) != 0) return note_error(kErrorInvalidValue);
  return allocate_pinned(pointer, size_bytes, flags);
}

Error hipMallocHost(void** pointer, std::size_t size_bytes) {
  return allocate_pinned(pointer, size_bytes, 0);
}

Error hipMemAllocHost(void** pointer, std::size_t size_bytes) {
  return allocate_pinned(pointer, size_bytes, 0);
}

Error hipHostFree(void* pointer) {
  return with_device_uncaptured(
      [&](Device& device) { return free_after_work(device.platform, pointer, is_pinned); });
}

Error hipFreeHost(void* pointer) { return hipHostFree(pointer); }

// The device sees exactly the bytes that are registered, not their whole pages.
Error hipHostRegister(void* pointer, std::size_t size_bytes, unsigned flags) {
  return with_device_uncaptured([&](Device& device) {
    if (pointer == nullptr || size_bytes == 0 || (flags & ~kRegisterFlags) != 0) {
      return kErrorInvalidValue;
    }
    if (!is_mapped(pointer, size_bytes)) return kErrorInvalidValue;
    const Error error =
        device.platform.memory.map({.base = {reinterpret_cast<std::uint64_t>(pointer)},
                                    .size_bytes = size_bytes,
                                    .host = static_cast<std::byte*>(pointer),
                                    .kind = RegionKind::kPinnedHost,
                                    .id = {}},
                                   {.source = AllocationOrigin::Source::kRegistered,
                                    .device_ordinal = device.ordinal,
                                    .flags = flags});
    return error == kErrorAlreadyMapped ? kErrorHostMemoryAlreadyRegistered : error;
  });
}

Error hipHostUnregister(void* pointer) {
  return with_device_uncaptured([&](Device& device) {
    if (pointer == nullptr) return kErrorInvalidValue;
    DeviceMemory& memory = device.platform.memory;
    const auto is_registered = [&] {
      const LiveAllocation found = memory.starting_at(pointer);
      return found && found.origin->source == AllocationOrigin::Source::kRegistered;
    };
    if (!is_registered()) return kErrorHostMemoryNotRegistered;
    if (HostFunctions::is_this_thread()) return kErrorIllegalState;
    device.platform.scheduler.wait_for_all();
    return is_registered() ? memory.end(pointer) : kErrorHostMemoryNotRegistered;
  });
}

Error hipHostGetDevicePointer(void** device_pointer, void* host_pointer, unsigned flags) {
  return with_device([&](Device& device) {
    if (device_pointer == nullptr || flags != 0) return kErrorInvalidValue;
    *device_pointer = nullptr;
    if (!find_host_memory(device, host_pointer)) return kErrorInvalidValue;
    *device_pointer = host_pointer;
    return kSuccess;
  });
}

Error hipHostGetFlags(unsigned* flags, void* host_pointer) {
  return with_device([&](Device& device) {
    if (flags == nullptr || host_pointer == nullptr) return kErrorInvalidValue;
    const LiveAllocation found = find_host_memory(device, host_pointer);
    if (!found) return kErrorInvalidValue;
    *flags = found.origin->flags;
    return kSuccess;
  });
}

}  // namespace compass::hip
