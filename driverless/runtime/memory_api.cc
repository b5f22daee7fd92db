// SPDX-License-Identifier: MIT
#include "driverless/runtime/allocations.h"
#include "driverless/runtime/api.h"
#include "driverless/runtime/runtime.h"

namespace compass::hip {
namespace {

// hipExtMallocWithFlags: default, fine-grained, for a signal, uncached, contiguous.
constexpr unsigned kMostDeviceFlags = 4;
constexpr unsigned kSignalMemory = 2;
constexpr std::size_t kSignalBytes = 8;

/// Rows start at multiples of it.
constexpr std::size_t kPitchAlignment = 256;

/// Rows and slices of rows. Where there are none: null, and success.
Error allocate_pitched(void** pointer, std::size_t* pitch_bytes, Extent extent) {
  return with_device_uncaptured([&](Device& device) {
    if (pointer == nullptr || pitch_bytes == nullptr) return kErrorInvalidValue;
    *pointer = nullptr;
    std::size_t pitch = 0;
    if (__builtin_add_overflow(extent.width, kPitchAlignment - 1, &pitch))
      return kErrorInvalidValue;
    pitch = pitch / kPitchAlignment * kPitchAlignment;
    std::size_t size_bytes = 0;
    if (__builtin_mul_overflow(pitch, extent.height, &size_bytes) ||
        __builtin_mul_overflow(size_bytes, extent.depth, &size_bytes)) {
      return kErrorOutOfMemory;
    }
    *pitch_bytes = pitch;
    return allocate_on(device, 0, size_bytes, pointer);
  });
}

bool is_device_side(RegionKind kind) {
  return kind == RegionKind::kDevice || kind == RegionKind::kManaged;
}

}  // namespace

// Either may be null.
Error hipMemGetInfo(std::size_t* free_bytes, std::size_t* total_bytes) {
  return with_device([&](Device& device) {
    if (free_bytes != nullptr) *free_bytes = device.free_bytes();
    if (total_bytes != nullptr) *total_bytes = device.declared_bytes;
    return kSuccess;
  });
}

Error hipMalloc(void** pointer, std::size_t size_bytes) {
  return hipExtMallocWithFlags(pointer, size_bytes, 0);
}

Error hipExtMallocWithFlags(void** pointer, std::size_t size_bytes, unsigned flags) {
  return with_device_uncaptured([&](Device& device) {
    if (pointer == nullptr || flags > kMostDeviceFlags) return kErrorInvalidValue;
    if (flags == kSignalMemory && size_bytes != kSignalBytes) return kErrorInvalidValue;
    return allocate_on(device, flags, size_bytes, pointer);
  });
}

Error hipMallocPitch(void** pointer, std::size_t* pitch_bytes, std::size_t row_bytes,
                     std::size_t rows) {
  return allocate_pitched(pointer, pitch_bytes, {row_bytes, rows, 1});
}

Error hipMemAllocPitch(void** pointer, std::size_t* pitch_bytes, std::size_t row_bytes,
                       std::size_t rows, unsigned element_bytes) {
  if (element_bytes != 4 && element_bytes != 8 && element_bytes != 16) {
    return note_error(kErrorInvalidValue);
  }
  return allocate_pitched(pointer, pitch_bytes, {row_bytes, rows, 1});
}

Error hipMalloc3D(PitchedPtr* pitched, Extent extent) {
  if (pitched == nullptr) return note_error(kErrorInvalidValue);
  const Error error = allocate_pitched(&pitched->pointer, &pitched->pitch_bytes, extent);
  if (error != kSuccess) return error;
  pitched->row_bytes = extent.width;
  pitched->rows = extent.height;
  return kSuccess;
}

Error hipMallocManaged(void** pointer, std::size_t size_bytes, unsigned flags) {
  return with_device_uncaptured([&](Device& device) {
    const bool are_flags = flags == kMemAttachGlobal || flags == kMemAttachHost;
    if (pointer == nullptr || size_bytes == 0 || !are_flags) return kErrorInvalidValue;
    return device.platform.memory.allocate(RegionKind::kManaged, size_bytes, pointer,
                                           {.device_ordinal = device.ordinal, .flags = flags});
  });
}

Error hipFree(void* pointer) {
  return with_device_uncaptured(
      [&](Device& device) { return free_after_work(device.platform, pointer, is_device_side); });
}

}  // namespace compass::hip
