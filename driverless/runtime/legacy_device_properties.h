// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>

#include "driverless/runtime/device_properties.h"

namespace compass {

/// HIP's hipDeviceProp_tR0000, the properties before HIP 6: what hipGetDeviceProperties fills, in
/// every library, since programs built for HIP 6 and later call another name. Fields called `other`
/// are zero here.
struct LegacyDeviceProperties {
  char name[256];
  std::uint64_t total_global_memory_bytes;
  std::uint64_t lds_bytes_per_workgroup;
  std::int32_t registers_per_workgroup;
  std::int32_t wavefront_size;
  std::int32_t max_workgroup_workitems;
  std::int32_t max_workgroup_dimensions[3];
  std::int32_t max_grid_dimensions[3];
  std::int32_t clock_khz;
  std::int32_t memory_clock_khz;
  std::int32_t memory_bus_bits;
  std::uint64_t total_constant_memory_bytes;
  std::int32_t major;
  std::int32_t minor;
  std::int32_t compute_units;
  std::int32_t l2_cache_bytes;
  std::int32_t max_workitems_per_compute_unit;
  std::int32_t compute_mode;
  std::int32_t clock_instruction_khz;
  std::uint32_t architecture_features;
  std::int32_t concurrent_kernels;
  std::int32_t pci_domain;
  std::int32_t pci_bus;
  std::int32_t pci_device;
  std::uint64_t max_lds_bytes_per_compute_unit;
  std::int32_t on_multi_device_board;
  std::int32_t can_map_host_memory;
  std::int32_t gcn_arch;  ///< 950 for gfx950
  char gcn_arch_name[256];
  std::int32_t integrated;
  std::int32_t cooperative_launch;
  std::int32_t cooperative_multi_device_launch;
  std::int32_t other_images[7];
  std::uint64_t other_flush_registers[2];
  std::uint64_t memory_pitch_bytes;
  std::uint64_t texture_alignment_bytes;
  std::uint64_t texture_pitch_alignment_bytes;
  std::int32_t kernel_timeout;
  std::int32_t ecc_enabled;
  std::int32_t other_tcc_driver;
  std::int32_t multi_device_launch_unmatched[4];
  std::int32_t large_bar;
  std::int32_t asic_revision;
  std::int32_t managed_memory;
  std::int32_t managed_access_from_host;
  std::int32_t concurrent_managed_access;
  std::int32_t pageable_memory_access;
  std::int32_t page_tables_of_host;
};
static_assert(sizeof(LegacyDeviceProperties) == 792);
static_assert(offsetof(LegacyDeviceProperties, clock_khz) == 308);
static_assert(offsetof(LegacyDeviceProperties, compute_units) == 336);
static_assert(offsetof(LegacyDeviceProperties, max_lds_bytes_per_compute_unit) == 376);
static_assert(offsetof(LegacyDeviceProperties, gcn_arch_name) == 396);
static_assert(offsetof(LegacyDeviceProperties, memory_pitch_bytes) == 712);
static_assert(offsetof(LegacyDeviceProperties, large_bar) == 764);

/// The same device in the old layout.
LegacyDeviceProperties legacy_properties_of(const DeviceProperties& properties);

}  // namespace compass
