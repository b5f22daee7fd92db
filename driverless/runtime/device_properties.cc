// SPDX-License-Identifier: MIT
#include "driverless/runtime/device_properties.h"

#include <algorithm>
#include <limits>
#include <string>
#include <string_view>

#include "driverless/arch/declared_devices.h"

namespace compass {
namespace {

constexpr std::int32_t kMost32 = std::numeric_limits<std::int32_t>::max();

template <std::size_t N>
void put_text(char (&field)[N], std::string_view text) {
  text.copy(field, N - 1);
}

/// "gfx950": 9 and 5. The last digit is the stepping, in hexadecimal.
void put_version(DeviceProperties& properties, std::string_view name) {
  const std::string_view digits = name.substr(std::string_view("gfx").size());
  properties.major =
      digits.size() == 4 ? 10 * (digits[0] - '0') + digits[1] - '0' : digits[0] - '0';
  properties.minor = digits[digits.size() - 2] - '0';
}

void put_place(DeviceProperties& properties, int device_ordinal) {
  arch::uuid_of(device_ordinal).copy(properties.uuid, sizeof properties.uuid);
  properties.pci_bus = device_ordinal + 1;
}

void put_limits(DeviceProperties& properties, const arch::Architecture& architecture) {
  const auto most = static_cast<std::int32_t>(architecture.max_workgroup_workitems);
  properties.max_workgroup_workitems = most;
  std::fill_n(properties.max_workgroup_dimensions, 3, most);
  properties.max_grid_dimensions[0] = kMost32;
  properties.max_grid_dimensions[1] = 65536;
  properties.max_grid_dimensions[2] = 65536;
  properties.wavefront_size = static_cast<std::int32_t>(architecture.wavefront_size);
  properties.compute_units = static_cast<std::int32_t>(architecture.compute_units);
  properties.max_workitems_per_compute_unit = 2048;
  properties.max_workgroups_per_compute_unit = 2;
  properties.registers_per_workgroup = 65536;
  properties.registers_per_compute_unit = 65536;
  properties.clock_khz = static_cast<std::int32_t>(architecture.clock_khz);
  properties.clock_instruction_khz = 100'000;
}

void put_memory(DeviceProperties& properties, const arch::Architecture& architecture) {
  properties.total_global_memory_bytes = architecture.memory_bytes;
  properties.lds_bytes_per_workgroup = architecture.lds_bytes;
  properties.lds_bytes_per_compute_unit = architecture.lds_bytes;
  properties.lds_bytes_opt_in = architecture.lds_bytes;
  properties.max_lds_bytes_per_compute_unit = architecture.lds_bytes;
  properties.memory_pitch_bytes = kMost32;
  properties.total_constant_memory_bytes = kMost32;
  properties.texture_alignment_bytes = 256;
  properties.texture_pitch_alignment_bytes = 256;
  properties.memory_clock_khz = static_cast<std::int32_t>(architecture.memory_clock_khz);
  properties.memory_bus_bits = static_cast<std::int32_t>(architecture.memory_bus_bits);
  properties.l2_cache_bytes = static_cast<std::int32_t>(architecture.l2_cache_bytes);
  properties.persisting_l2_bytes = properties.l2_cache_bytes;
}

void put_features(DeviceProperties& properties) {
  properties.device_overlap = 1;
  properties.can_map_host_memory = 1;
  properties.concurrent_kernels = 1;
  properties.async_engines = 8;
  properties.unified_addressing = 1;
  properties.stream_priorities = 1;
  properties.managed_memory = 1;
  properties.concurrent_managed_access = 1;
  properties.host_native_atomics = 1;
  properties.global_l1_cached = 1;
  properties.local_l1_cached = 1;
  properties.ipc_events = 1;
  properties.cooperative_launch = 1;
  properties.cooperative_multi_device_launch = 1;
  properties.host_register = 1;
  properties.memory_pools = 1;
  properties.memory_pool_handle_types = 1;  // file descriptors
  std::fill_n(properties.multi_device_launch_unmatched, 4, 1);
  // All but funnel shift, __syncthreads_count and the like, surfaces and dynamic parallelism.
  properties.architecture_features = 0x1FFFF & ~(1u << 11 | 1u << 13 | 1u << 14 | 1u << 16);
  properties.large_bar = 1;
}

}  // namespace

DeviceProperties properties_of(const arch::Architecture& architecture, int device_ordinal) {
  DeviceProperties properties{};
  put_text(properties.name, architecture.device_name);
  put_text(properties.gcn_arch_name, architecture.gcn_arch_name);
  put_place(properties, device_ordinal);
  put_version(properties, architecture.name);
  put_limits(properties, architecture);
  put_memory(properties, architecture);
  put_features(properties);
  return properties;
}

}  // namespace compass
