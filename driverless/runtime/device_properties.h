// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "driverless/arch/arch.h"

namespace compass {

/// HIP's hipDeviceProp_tR0600: what hipGetDevicePropertiesR0600 fills. Fields called `other` are
/// zero here: textures, surfaces and what only other vendors' devices have.
struct DeviceProperties {
  char name[256];
  char uuid[16];
  char other_luid[12];
  std::uint64_t total_global_memory_bytes;
  std::uint64_t lds_bytes_per_workgroup;
  std::int32_t registers_per_workgroup;
  std::int32_t wavefront_size;
  std::uint64_t memory_pitch_bytes;
  std::int32_t max_workgroup_workitems;
  std::int32_t max_workgroup_dimensions[3];
  std::int32_t max_grid_dimensions[3];
  std::int32_t clock_khz;
  std::uint64_t total_constant_memory_bytes;
  std::int32_t major;
  std::int32_t minor;
  std::uint64_t texture_alignment_bytes;
  std::uint64_t texture_pitch_alignment_bytes;
  std::int32_t device_overlap;
  std::int32_t compute_units;
  std::int32_t other_timeout;
  std::int32_t integrated;
  std::int32_t can_map_host_memory;
  std::int32_t other_compute_mode_and_images[43];
  std::int32_t concurrent_kernels;
  std::int32_t ecc_enabled;
  std::int32_t pci_bus;
  std::int32_t pci_device;
  std::int32_t pci_domain;
  std::int32_t other_tcc_driver;
  std::int32_t async_engines;
  std::int32_t unified_addressing;
  std::int32_t memory_clock_khz;
  std::int32_t memory_bus_bits;
  std::int32_t l2_cache_bytes;
  std::int32_t other_persisting_l2;
  std::int32_t max_workitems_per_compute_unit;
  std::int32_t stream_priorities;
  std::int32_t other_l1_cached[2];
  std::uint64_t lds_bytes_per_compute_unit;
  std::int32_t registers_per_compute_unit;
  std::int32_t managed_memory;
  std::int32_t other_boards_and_host_access[8];
  std::int32_t cooperative_launch;
  std::int32_t cooperative_multi_device_launch;
  std::uint64_t lds_bytes_opt_in;
  std::int32_t other_page_tables[2];
  std::int32_t max_workgroups_per_compute_unit;
  std::int32_t other_access_policy;
  std::uint64_t other_reserved_lds;
  std::int32_t host_register;
  std::int32_t other_sparse[3];
  std::int32_t memory_pools;
  std::int32_t other_reserved[103];
  char gcn_arch_name[256];
  std::uint64_t max_lds_bytes_per_compute_unit;
  std::int32_t clock_instruction_khz;
  std::uint32_t architecture_features;
  std::uint64_t other_flush_registers[2];
  std::int32_t other_unmatched[4];
  std::int32_t large_bar;
  std::int32_t asic_revision;
};
static_assert(sizeof(DeviceProperties) == 1472);
static_assert(offsetof(DeviceProperties, total_global_memory_bytes) == 288);
static_assert(offsetof(DeviceProperties, wavefront_size) == 308);
static_assert(offsetof(DeviceProperties, clock_khz) == 348);
static_assert(offsetof(DeviceProperties, texture_alignment_bytes) == 368);
static_assert(offsetof(DeviceProperties, compute_units) == 388);
static_assert(offsetof(DeviceProperties, can_map_host_memory) == 400);
static_assert(offsetof(DeviceProperties, concurrent_kernels) == 576);
static_assert(offsetof(DeviceProperties, memory_clock_khz) == 608);
static_assert(offsetof(DeviceProperties, stream_priorities) == 628);
static_assert(offsetof(DeviceProperties, lds_bytes_per_compute_unit) == 640);
static_assert(offsetof(DeviceProperties, registers_per_compute_unit) == 648);
static_assert(offsetof(DeviceProperties, cooperative_launch) == 688);
static_assert(offsetof(DeviceProperties, lds_bytes_opt_in) == 696);
static_assert(offsetof(DeviceProperties, host_register) == 728);
static_assert(offsetof(DeviceProperties, memory_pools) == 744);
static_assert(offsetof(DeviceProperties, gcn_arch_name) == 1160);
static_assert(offsetof(DeviceProperties, clock_instruction_khz) == 1424);
static_assert(offsetof(DeviceProperties, large_bar) == 1464);

namespace hip {
/// HIP's hipChannelFormatDesc.
struct ChannelFormat {
  std::int32_t x, y, z, w;
  std::int32_t kind;
};
}  // namespace hip

/// What a device of this architecture says of itself: facts of the device, also where this runtime
/// does not implement what they announce.
DeviceProperties properties_of(const arch::Architecture& architecture);

/// The value of a hipDeviceAttribute_t of HIP 6 and 7; absent where HIP has none of that number.
std::optional<int> attribute_of(const DeviceProperties& properties, int attribute);

}  // namespace compass
