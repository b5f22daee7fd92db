// SPDX-License-Identifier: MIT
#include "driverless/runtime/legacy_device_properties.h"

#include <algorithm>
#include <cstring>
#include <string_view>

namespace compass {
namespace {

/// "gfx950:…": 950. The stepping is a hexadecimal digit, and counts as a number: gfx90a is 910.
std::int32_t gcn_arch_of(const DeviceProperties& properties) {
  const std::string_view target(properties.gcn_arch_name);
  const char digit = target.substr(0, target.find(':')).back();
  const std::int32_t stepping = digit <= '9' ? digit - '0' : digit - 'a' + 10;
  return 100 * properties.major + 10 * properties.minor + stepping;
}

void put_limits(LegacyDeviceProperties& legacy, const DeviceProperties& properties) {
  legacy.registers_per_workgroup = properties.registers_per_workgroup;
  legacy.wavefront_size = properties.wavefront_size;
  legacy.max_workgroup_workitems = properties.max_workgroup_workitems;
  std::copy_n(properties.max_workgroup_dimensions, 3, legacy.max_workgroup_dimensions);
  std::copy_n(properties.max_grid_dimensions, 3, legacy.max_grid_dimensions);
  legacy.compute_units = properties.compute_units;
  legacy.max_workitems_per_compute_unit = properties.max_workitems_per_compute_unit;
  legacy.clock_khz = properties.clock_khz;
  legacy.clock_instruction_khz = properties.clock_instruction_khz;
  legacy.kernel_timeout = properties.kernel_timeout;
}

void put_memory(LegacyDeviceProperties& legacy, const DeviceProperties& properties) {
  legacy.total_global_memory_bytes = properties.total_global_memory_bytes;
  legacy.total_constant_memory_bytes = properties.total_constant_memory_bytes;
  legacy.lds_bytes_per_workgroup = properties.lds_bytes_per_workgroup;
  legacy.max_lds_bytes_per_compute_unit = properties.max_lds_bytes_per_compute_unit;
  legacy.memory_clock_khz = properties.memory_clock_khz;
  legacy.memory_bus_bits = properties.memory_bus_bits;
  legacy.l2_cache_bytes = properties.l2_cache_bytes;
  legacy.memory_pitch_bytes = properties.memory_pitch_bytes;
  legacy.texture_alignment_bytes = properties.texture_alignment_bytes;
  legacy.texture_pitch_alignment_bytes = properties.texture_pitch_alignment_bytes;
}

void put_features(LegacyDeviceProperties& legacy, const DeviceProperties& properties) {
  legacy.architecture_features = properties.architecture_features;
  legacy.compute_mode = properties.compute_mode;
  legacy.concurrent_kernels = properties.concurrent_kernels;
  legacy.can_map_host_memory = properties.can_map_host_memory;
  legacy.integrated = properties.integrated;
  legacy.cooperative_launch = properties.cooperative_launch;
  legacy.cooperative_multi_device_launch = properties.cooperative_multi_device_launch;
  std::copy_n(properties.multi_device_launch_unmatched, 4, legacy.multi_device_launch_unmatched);
  legacy.ecc_enabled = properties.ecc_enabled;
  legacy.large_bar = properties.large_bar;
  legacy.asic_revision = properties.asic_revision;
  legacy.managed_memory = properties.managed_memory;
  legacy.managed_access_from_host = properties.managed_access_from_host;
  legacy.concurrent_managed_access = properties.concurrent_managed_access;
  legacy.pageable_memory_access = properties.pageable_memory_access;
  legacy.page_tables_of_host = properties.page_tables_of_host;
}

}  // namespace

LegacyDeviceProperties legacy_properties_of(const DeviceProperties& properties) {
  LegacyDeviceProperties legacy{};
  static_assert(sizeof legacy.name == sizeof properties.name);
  static_assert(sizeof legacy.gcn_arch_name == sizeof properties.gcn_arch_name);
  std::memcpy(legacy.name, properties.name, sizeof legacy.name);
  std::memcpy(legacy.gcn_arch_name, properties.gcn_arch_name, sizeof legacy.gcn_arch_name);
  legacy.gcn_arch = gcn_arch_of(properties);
  legacy.major = properties.major;
  legacy.minor = properties.minor;
  legacy.pci_domain = properties.pci_domain;
  legacy.pci_bus = properties.pci_bus;
  legacy.pci_device = properties.pci_device;
  legacy.on_multi_device_board = properties.on_multi_device_board;
  put_limits(legacy, properties);
  put_memory(legacy, properties);
  put_features(legacy, properties);
  return legacy;
}

}  // namespace compass
