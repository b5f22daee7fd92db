// SPDX-License-Identifier: MIT

// What a program sets of its device. Waits, caches and LDS banks work as they do; the settings are
// checked and remembered.

#include "driverless/runtime/api.h"
#include "driverless/runtime/runtime.h"

namespace compass::hip {
namespace {

// How a wait is to be scheduled: spinning, yielding, blocking; at most one of them.
constexpr unsigned kScheduleFlags = 0x7;
constexpr unsigned kDeviceFlags = kScheduleFlags | 0x8 | 0x10;  // also: map host, keep local memory

constexpr int kCacheConfigurations = 4;  // none, LDS, L1, equal
constexpr int kCachePreferNone = 0;
constexpr int kBankSizes = 3;  // default, four bytes, eight bytes
constexpr int kBankFourBytes = 1;

enum Limit : unsigned { kLimitStackSize = 0, kLimitMallocHeapSize = 2, kLimitEnd = 0x1003 };
// What a lane's part of the scratch of a wavefront can be at most.
constexpr std::uint64_t kMostStackBytes = (std::uint64_t{128} << 10) - 16;

bool is_one_schedule(unsigned flags) {
  const unsigned schedule = flags & kScheduleFlags;
  return (schedule & (schedule - 1)) == 0;
}

Error get_cache_configuration(int* configuration) {
  return with_device([&](Device&) {
    if (configuration == nullptr) return kErrorInvalidValue;
    *configuration = kCachePreferNone;
    return kSuccess;
  });
}

Error set_cache_configuration(int configuration) {
  return with_device([&](Device&) {
    const bool is_known = configuration >= 0 && configuration < kCacheConfigurations;
    return is_known ? kSuccess : kErrorInvalidValue;
  });
}

Error get_bank_size(int* bank_size) {
  return with_device([&](Device&) {
    if (bank_size == nullptr) return kErrorInvalidValue;
    *bank_size = kBankFourBytes;
    return kSuccess;
  });
}

Error set_bank_size(int bank_size) {
  return with_device([&](Device&) {
    return bank_size >= 0 && bank_size < kBankSizes ? kSuccess : kErrorInvalidValue;
  });
}

Error get_flags(unsigned* flags) {
  return with_device([&](Device& device) {
    if (flags == nullptr) return kErrorInvalidValue;
    *flags = device.settings.flags;
    return kSuccess;
  });
}

}  // namespace

Error hipSetDeviceFlags(unsigned flags) {
  return with_device([&](Device& device) {
    if ((flags & ~kDeviceFlags) != 0 || !is_one_schedule(flags)) return kErrorInvalidValue;
    device.settings.flags = flags & kScheduleFlags;
    return kSuccess;
  });
}

Error hipGetDeviceFlags(unsigned* flags) { return get_flags(flags); }
Error hipCtxGetFlags(unsigned* flags) { return get_flags(flags); }

Error hipDeviceGetCacheConfig(int* configuration) { return get_cache_configuration(configuration); }
Error hipDeviceSetCacheConfig(int configuration) { return set_cache_configuration(configuration); }
Error hipCtxGetCacheConfig(int* configuration) { return get_cache_configuration(configuration); }
Error hipCtxSetCacheConfig(int configuration) { return set_cache_configuration(configuration); }

Error hipDeviceGetSharedMemConfig(int* bank_size) { return get_bank_size(bank_size); }
Error hipDeviceSetSharedMemConfig(int bank_size) { return set_bank_size(bank_size); }
Error hipCtxGetSharedMemConfig(int* bank_size) { return get_bank_size(bank_size); }
Error hipCtxSetSharedMemConfig(int bank_size) { return set_bank_size(bank_size); }

Error hipDeviceGetLimit(std::size_t* value, unsigned limit) {
  return with_device([&](Device& device) {
    if (value == nullptr || limit >= kLimitEnd) return kErrorInvalidValue;
    if (limit != kLimitStackSize && limit != kLimitMallocHeapSize) return kErrorUnsupportedLimit;
    *value = limit == kLimitStackSize ? device.settings.stack_bytes : device.settings.heap_bytes;
    return kSuccess;
  });
}

Error hipDeviceSetLimit(unsigned limit, std::size_t value) {
  return with_device([&](Device& device) {
    if (limit >= kLimitEnd) return kErrorInvalidValue;
    if (limit != kLimitStackSize && limit != kLimitMallocHeapSize) return kErrorUnsupportedLimit;
    const bool is_stack = limit == kLimitStackSize;
    if (value > (is_stack ? kMostStackBytes : device.declared_bytes)) return kErrorInvalidValue;
    (is_stack ? device.settings.stack_bytes : device.settings.heap_bytes) = value;
    return kSuccess;
  });
}

}  // namespace compass::hip
