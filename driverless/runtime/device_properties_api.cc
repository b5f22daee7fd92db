// SPDX-License-Identifier: MIT
#include <cstdio>

#include "driverless/runtime/api.h"
#include "driverless/runtime/devices.h"
#include "driverless/runtime/runtime.h"

namespace compass::hip {
namespace {

// "0000:01:00.0" and its end.
constexpr int kPciNameBytes = 13;

Error get_legacy_properties(LegacyDeviceProperties* properties, int device_ordinal) {
  return with_device([&](Device& current) {
    if (properties == nullptr) return kErrorInvalidValue;
    const Device* const device = find_device(current.platform, device_ordinal);
    if (device == nullptr) return kErrorInvalidDevice;
    *properties = legacy_properties_of(device->properties);
    return kSuccess;
  });
}

/// Whether the device has at least what is asked for: of each number, where zero asks for nothing.
template <class Properties>
bool offers(const Properties& has, const Properties& wanted) {
  return has.major >= wanted.major && has.minor >= wanted.minor &&
         has.total_global_memory_bytes >= wanted.total_global_memory_bytes &&
         has.lds_bytes_per_workgroup >= wanted.lds_bytes_per_workgroup &&
         has.max_workgroup_workitems >= wanted.max_workgroup_workitems &&
         has.total_constant_memory_bytes >= wanted.total_constant_memory_bytes &&
         has.compute_units >= wanted.compute_units &&
         has.max_workitems_per_compute_unit >= wanted.max_workitems_per_compute_unit &&
         has.memory_clock_khz >= wanted.memory_clock_khz &&
         has.memory_bus_bits >= wanted.memory_bus_bits &&
         has.l2_cache_bytes >= wanted.l2_cache_bytes &&
         has.registers_per_workgroup >= wanted.registers_per_workgroup &&
         has.max_lds_bytes_per_compute_unit >= wanted.max_lds_bytes_per_compute_unit &&
         has.wavefront_size >= wanted.wavefront_size;
}

/// The first device that offers what is wanted; the first of all where none does.
template <class Properties, class Describe>
Error choose(int* device_ordinal, const Properties* wanted, Describe describe) {
  return with_device([&](Device& current) {
    if (device_ordinal == nullptr || wanted == nullptr) return kErrorInvalidValue;
    *device_ordinal = 0;
    for (const auto& device : current.platform.devices) {
      if (!offers<Properties>(describe(device->properties), *wanted)) continue;
      *device_ordinal = device->ordinal;
      break;
    }
    return kSuccess;
  });
}

}  // namespace

Error hipGetDevicePropertiesR0600(DeviceProperties* properties, int device_ordinal) {
  return with_device([&](Device& current) {
    if (properties == nullptr) return kErrorInvalidValue;
    const Device* const device = find_device(current.platform, device_ordinal);
    if (device == nullptr) return kErrorInvalidDevice;
    *properties = device->properties;
    return kSuccess;
  });
}

Error hipGetDevicePropertiesR0000(LegacyDeviceProperties* properties, int device_ordinal) {
  return get_legacy_properties(properties, device_ordinal);
}

Error hipGetDeviceProperties(LegacyDeviceProperties* properties, int device_ordinal) {
  return get_legacy_properties(properties, device_ordinal);
}

Error hipChooseDeviceR0600(int* device_ordinal, const DeviceProperties* wanted) {
  return choose(device_ordinal, wanted, [](const DeviceProperties& has) { return has; });
}

Error hipChooseDeviceR0000(int* device_ordinal, const LegacyDeviceProperties* wanted) {
  return choose(device_ordinal, wanted, &legacy_properties_of);
}

Error hipChooseDevice(int* device_ordinal, const LegacyDeviceProperties* wanted) {
  return choose(device_ordinal, wanted, &legacy_properties_of);
}

// Where there is no room for all of the name there is as much as fits, and an error.
Error hipDeviceGetPCIBusId(char* name, int size_bytes, int device_ordinal) {
  return with_device_at(device_ordinal, [&](Device& device) {
    if (name == nullptr || size_bytes <= 0) return kErrorInvalidValue;
    const DeviceProperties& at = device.properties;
    std::snprintf(name, static_cast<std::size_t>(size_bytes), "%04x:%02x:%02x.0",
                  static_cast<unsigned>(at.pci_domain), static_cast<unsigned>(at.pci_bus),
                  static_cast<unsigned>(at.pci_device));
    return size_bytes < kPciNameBytes ? kErrorInvalidValue : kSuccess;
  });
}

Error hipDeviceGetByPCIBusId(int* device_ordinal, const char* name) {
  return with_device([&](Device& current) {
    if (device_ordinal == nullptr || name == nullptr) return kErrorInvalidValue;
    unsigned domain = 0, bus = 0, slot = 0, function = 0;
    if (std::sscanf(name, "%4x:%2x:%2x.%1x", &domain, &bus, &slot, &function) != 4) {
      return kErrorInvalidValue;
    }
    for (const auto& device : current.platform.devices) {
      const DeviceProperties& at = device->properties;
      const bool is_there = domain == static_cast<unsigned>(at.pci_domain) &&
                            bus == static_cast<unsigned>(at.pci_bus) &&
                            slot == static_cast<unsigned>(at.pci_device) && function == 0;
      if (is_there) *device_ordinal = device->ordinal;
      if (is_there) return kSuccess;
    }
    return kErrorInvalidValue;
  });
}

}  // namespace compass::hip
