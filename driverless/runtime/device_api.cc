// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstring>

#include "driverless/runtime/abi_major.h"
#include "driverless/runtime/api.h"
#include "driverless/runtime/device_attributes.h"
#include "driverless/runtime/devices.h"
#include "driverless/runtime/runtime.h"
#include "driverless/runtime/submit.h"

namespace compass::hip {
namespace {

/// Needs no device: programs ask for it to say what is missing.
Error put_version(int* version) {
  if (version == nullptr) return note_error(kErrorInvalidValue);
  *version = hip_version();
  return note_error(kSuccess);
}

/// Whether this thread has called hipSetDevice.
bool& has_chosen() {
  thread_local bool chosen = false;
  return chosen;
}

Error choose(Device& device) {
  current_device_ordinal() = device.ordinal;
  device.settings.is_active = true;
  return kSuccess;
}

}  // namespace

Error hipInit(unsigned flags) {
  return with_device([&](Device&) { return flags == 0 ? kSuccess : kErrorInvalidValue; });
}

Error hipDriverGetVersion(int* version) { return put_version(version); }
Error hipRuntimeGetVersion(int* version) { return put_version(version); }

Error hipGetDeviceCount(int* count) {
  if (count != nullptr) *count = 0;
  return with_device([&](Device& device) {
    if (count == nullptr) return kErrorInvalidValue;
    *count = static_cast<int>(device.platform.devices.size());
    return kSuccess;
  });
}

Error hipGetDevice(int* device_ordinal) {
  return with_device([&](Device& device) {
    if (device_ordinal == nullptr) return kErrorInvalidValue;
    *device_ordinal = device.ordinal;
    return kSuccess;
  });
}

Error hipSetDevice(int device_ordinal) {
  return with_device_at(device_ordinal, [](Device& device) {
    has_chosen() = true;
    return choose(device);
  });
}

// A hint for threads that have not chosen: they get the first of the list.
Error hipSetValidDevices(int* device_ordinals, int count) {
  return with_device([&](Device& current) {
    if (count == 0) return kSuccess;
    const auto most = static_cast<int>(current.platform.devices.size());
    if (device_ordinals == nullptr || count < 0 || count > most) return kErrorInvalidValue;
    const bool are_devices = std::all_of(device_ordinals, device_ordinals + count, [&](int each) {
      return find_device(current.platform, each) != nullptr;
    });
    if (!are_devices) return kErrorInvalidDevice;
    if (!has_chosen()) current_device_ordinal() = device_ordinals[0];
    return kSuccess;
  });
}

Error hipDeviceGet(int* device, int device_ordinal) {
  return with_device([&](Device& current) {
    if (device == nullptr) return kErrorInvalidValue;
    if (find_device(current.platform, device_ordinal) == nullptr) return kErrorInvalidDevice;
    *device = device_ordinal;
    return kSuccess;
  });
}

Error hipDeviceGetName(char* name, int size_bytes, int device_ordinal) {
  return with_device_at(device_ordinal, [&](Device& device) {
    if (name == nullptr || size_bytes <= 0) return kErrorInvalidValue;
    const std::size_t length = std::strlen(device.properties.name);
    const std::size_t copied = std::min(length, static_cast<std::size_t>(size_bytes) - 1);
    std::memcpy(name, device.properties.name, copied);
    name[copied] = '\0';
    return kSuccess;
  });
}

Error hipDeviceGetUuid(Uuid* uuid, int device_ordinal) {
  return with_device_at(device_ordinal, [&](Device& device) {
    if (uuid == nullptr) return kErrorInvalidValue;
    static_assert(sizeof uuid->bytes == sizeof device.properties.uuid);
    std::memcpy(uuid->bytes, device.properties.uuid, sizeof uuid->bytes);
    return kSuccess;
  });
}

Error hipDeviceTotalMem(std::size_t* size_bytes, int device_ordinal) {
  return with_device_at(device_ordinal, [&](Device& device) {
    if (size_bytes == nullptr) return kErrorInvalidValue;
    *size_bytes = device.declared_bytes;
    return kSuccess;
  });
}

Error hipDeviceComputeCapability(int* major, int* minor, int device_ordinal) {
  return with_device_at(device_ordinal, [&](Device& device) {
    if (major == nullptr || minor == nullptr) return kErrorInvalidValue;
    *major = device.properties.major;
    *minor = device.properties.minor;
    return kSuccess;
  });
}

Error hipDeviceGetAttribute(int* value, int attribute, int device_ordinal) {
  return with_device([&](Device& current) {
    if (value == nullptr) return kErrorInvalidValue;
    const Device* const device = find_device(current.platform, device_ordinal);
    if (device == nullptr) return kErrorInvalidDevice;
    const std::optional<int> known =
        attribute_of(device->properties, current.platform.agent.architecture(), attribute);
    if (!known) return kErrorInvalidValue;
    *value = *known;
    return kSuccess;
  });
}

Error hipDeviceSynchronize() {
  return with_device([](Device& device) { return wait_for_all(device.platform); });
}

Error hipDeviceReset() { return with_device(&reset_device); }

}  // namespace compass::hip
