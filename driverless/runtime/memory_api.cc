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

/// Memory of a device, as far as it has some.
Error allocate_on(Device& device, std::size_t size_bytes, void** pointer) {
  *pointer = nullptr;
  if (size_bytes > device.free_bytes()) return kErrorOutOfMemory;
  const Error error = device.platform.memory.allocate(RegionKind::kDevice, size_bytes, pointer);
  if (error == kSuccess) device.used_bytes += size_bytes;
  return error;
}

/// Allocates by `body` if no capture forbids that.
template <class Body>
Error allocate(void** pointer, Body body) {
  return with_device([&](Device& device) {
    const Error error = device.platform.captures.check(CallKind::kUnsafe);
    if (error != kSuccess) return error;
    return pointer == nullptr ? kErrorInvalidValue : body(device);
  });
}

/// Null is fine, as HIP has it. Before memory ends, all work does that may use it.
Error free_after_work(Device& device, RegionKind kind, void* pointer) {
  const Error forbidden = device.platform.captures.check(CallKind::kUnsafe);
  if (forbidden != kSuccess || pointer == nullptr) return forbidden;
  const Region* const region = device.platform.memory.starting_at(pointer);
  if (region == nullptr || region->kind != kind) return kErrorInvalidValue;
  if (HostFunctions::is_this_thread()) return kErrorNotPermitted;
  device.platform.scheduler.wait_for_all();
  const Region* const still = device.platform.memory.starting_at(pointer);
  if (still == nullptr || still->kind != kind) return kErrorInvalidValue;
  if (kind == RegionKind::kDevice) device.used_bytes -= still->size_bytes;
  return device.platform.memory.free(kind, pointer);
}

}  // namespace

Error hipMemGetInfo(std::size_t* free_bytes, std::size_t* total_bytes) {
  return with_device([&](Device& device) {
    if (free_bytes == nullptr || total_bytes == nullptr) return kErrorInvalidValue;
    *free_bytes = device.free_bytes();
    *total_bytes = device.declared_bytes;
    return kSuccess;
  });
}

Error hipMalloc(void** pointer, std::size_t size_bytes) {
  return allocate(pointer,
                  [&](Device& device) { return allocate_on(device, size_bytes, pointer); });
}

Error hipFree(void* pointer) {
  return with_device(
      [&](Device& device) { return free_after_work(device, RegionKind::kDevice, pointer); });
}

Error hipHostMalloc(void** pointer, std::size_t size_bytes, unsigned flags) {
  return allocate(pointer, [&](Device& device) {
    if (!are_host_flags(flags)) return kErrorInvalidValue;
    return device.platform.memory.allocate(RegionKind::kPinnedHost, size_bytes, pointer);
  });
}

Error hipHostFree(void* pointer) {
  return with_device(
      [&](Device& device) { return free_after_work(device, RegionKind::kPinnedHost, pointer); });
}

}  // namespace compass::hip
