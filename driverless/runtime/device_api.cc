// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstring>

#include "driverless/runtime/api.h"
#include "driverless/runtime/runtime.h"
#include "driverless/runtime/submit.h"

namespace compass::hip {
namespace {

// The newest interface whose version nodes the library offers.
constexpr int kVersion = 70'200'000;

Error put_version(int* version) {
  if (version == nullptr) return note_error(kErrorInvalidValue);
  *version = kVersion;
  return kSuccess;
}

}  // namespace

Error hipInit(unsigned flags) {
  return with_device([&](Device&) { return flags == 0 ? kSuccess : kErrorInvalidValue; });
}

Error hipDriverGetVersion(int* version) {
  return with_device([&](Device&) { return put_version(version); });
}

Error hipRuntimeGetVersion(int* version) {
  return with_device([&](Device&) { return put_version(version); });
}

Error hipGetDeviceCount(int* count) {
  if (count != nullptr) *count = 0;
  return with_device([&](Device&) {
    if (count == nullptr) return kErrorInvalidValue;
    *count = 1;
    return kSuccess;
  });
}

Error hipGetDevice(int* device_ordinal) {
  return with_device([&](Device&) {
    if (device_ordinal == nullptr) return kErrorInvalidValue;
    *device_ordinal = 0;
    return kSuccess;
  });
}

Error hipSetDevice(int device_ordinal) {
  return with_device([&](Device&) { return device_ordinal == 0 ? kSuccess : kErrorInvalidDevice; });
}

Error hipGetDevicePropertiesR0600(DeviceProperties* properties, int device_ordinal) {
  return with_device([&](Device& device) {
    if (properties == nullptr) return kErrorInvalidValue;
    if (device_ordinal != 0) return kErrorInvalidDevice;
    *properties = device.properties;
    return kSuccess;
  });
}

Error hipDeviceGetAttribute(int* value, int attribute, int device_ordinal) {
  return with_device([&](Device& device) {
    if (value == nullptr) return kErrorInvalidValue;
    if (device_ordinal != 0) return kErrorInvalidDevice;
    const std::optional<int> known = attribute_of(device.properties, attribute);
    if (!known) return kErrorInvalidValue;
    *value = *known;
    return kSuccess;
  });
}

Error hipDeviceGetName(char* name, int size_bytes, int device_ordinal) {
  return with_device([&](Device& device) {
    if (device_ordinal != 0) return kErrorInvalidDevice;
    if (name == nullptr || size_bytes <= 0) return kErrorInvalidValue;
    const std::size_t length = std::strlen(device.properties.name);
    const auto room = static_cast<std::size_t>(size_bytes) - 1;
    const std::size_t copied = std::min(length, room);
    std::memcpy(name, device.properties.name, copied);
    name[copied] = '\0';
    return kSuccess;
  });
}

Error hipDeviceSynchronize() {
  return with_device([](Device& device) { return wait_for_all(device.platform); });
}

}  // namespace compass::hip
