// SPDX-License-Identifier: MIT
#include "driverless/runtime/api.h"
#include "driverless/runtime/runtime.h"

namespace compass::hip {
namespace {

// Portable, mapped, write-combined, uncached, NUMA by the user, coherent, not coherent.
constexpr unsigned kHostFlags =
    0x1 | 0x2 | 0x4 | 0x1000'0000 | 0x2000'0000 | 0x4000'0000 | 0x8000'0000;
constexpr unsigned kHostCoherent = 0x4000'0000;
constexpr unsigned kHostNonCoherent = 0x8000'0000;

bool are_host_flags(unsigned flags) {
  const unsigned coherence = flags & (kHostCoherent | kHostNonCoherent);
  return (flags & ~kHostFlags) == 0 && coherence != (kHostCoherent | kHostNonCoherent);
}

}  // namespace

Error hipMemGetInfo(std::size_t* free_bytes, std::size_t* total_bytes) {
  return with_device([&](Device& device) {
    if (free_bytes == nullptr || total_bytes == nullptr) return kErrorInvalidValue;
    *free_bytes = device.memory.free_bytes();
    *total_bytes = device.memory.declared_bytes();
    return kSuccess;
  });
}

Error hipMalloc(void** pointer, std::size_t size_bytes) {
  return with_device([&](Device& device) {
    return device.memory.allocate(RegionKind::kDevice, size_bytes, pointer);
  });
}

Error hipFree(void* pointer) {
  return with_device(
      [&](Device& device) { return device.memory.free(RegionKind::kDevice, pointer); });
}

Error hipHostMalloc(void** pointer, std::size_t size_bytes, unsigned flags) {
  return with_device([&](Device& device) {
    if (!are_host_flags(flags)) return kErrorInvalidValue;
    return device.memory.allocate(RegionKind::kPinnedHost, size_bytes, pointer);
  });
}

Error hipHostFree(void* pointer) {
  return with_device(
      [&](Device& device) { return device.memory.free(RegionKind::kPinnedHost, pointer); });
}

}  // namespace compass::hip
