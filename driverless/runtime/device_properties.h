// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>

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
  std::int32_t kernel_timeout;
  std::int32_t integrated;
  std::int32_t can_map_host_memory;
  std::int32_t compute_mode;
  std::int32_t other_images[42];
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
  std::int32_t persisting_l2_bytes;
  std::int32_t max_workitems_per_compute_unit;
  std::int32_t stream_priorities;
  std::int32_t global_l1_cached;
  std::int32_t local_l1_cached;
  std::uint64_t lds_bytes_per_compute_unit;
  std::int32_t registers_per_compute_unit;
  std::int32_t managed_memory;
  std::int32_t on_multi_device_board;
  std::int32_t multi_device_board;
  std::int32_t host_native_atomics;
  std::int32_t other_single_to_double_ratio;
  std::int32_t pageable_memory_access;
  std::int32_t concurrent_managed_access;
  std::int32_t compute_preemption;
  std::int32_t host_pointer_of_registered_memory;
  std::int32_t cooperative_launch;
  std::int32_t cooperative_multi_device_launch;
  std::uint64_t lds_bytes_opt_in;
  std::int32_t page_tables_of_host;
  std::int32_t managed_access_from_host;
  std::int32_t max_workgroups_per_compute_unit;
  std::int32_t access_policy_window_bytes;
  std::uint64_t reserved_lds_bytes;
  std::int32_t host_register;
  std::int32_t other_sparse[3];
  std::int32_t memory_pools;
  std::int32_t other_rdma[3];
  std::int32_t memory_pool_handle_types;
  std::int32_t other_deferred_mapping;
  std::int32_t ipc_events;
  std::int32_t other_reserved[97];
  char gcn_arch_name[256];
  std::uint64_t max_lds_bytes_per_compute_unit;
  std::int32_t clock_instruction_khz;
  std::uint32_t architecture_features;
  std::uint64_t other_flush_registers[2];
  std::int32_t multi_device_launch_unmatched[4];  ///< functions, grids, workgroups, LDS
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
static_assert(offsetof(DeviceProperties, ipc_events) == 768);
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

/// What the device of this ordinal says of itself: facts of the device, also where this runtime
/// does not implement what they announce.
DeviceProperties properties_of(const arch::Architecture& architecture, int device_ordinal);

}  // namespace compass
