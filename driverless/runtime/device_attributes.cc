// SPDX-License-Identifier: MIT
#include "driverless/runtime/device_attributes.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <limits>

namespace compass {
namespace {

using Properties = DeviceProperties;

/// An attribute whose value is a 32-bit property.
struct PropertyAttribute {
  int number;
  std::int32_t Properties::*property;
};

constexpr PropertyAttribute kPropertyAttributes[] = {
    {0, &Properties::ecc_enabled},
    {1, &Properties::access_policy_window_bytes},
    {2, &Properties::async_engines},
    {3, &Properties::can_map_host_memory},
    {4, &Properties::host_pointer_of_registered_memory},
    {5, &Properties::clock_khz},
    {6, &Properties::compute_mode},
    {7, &Properties::compute_preemption},
    {8, &Properties::concurrent_kernels},
    {9, &Properties::concurrent_managed_access},
    {10, &Properties::cooperative_launch},
    {11, &Properties::cooperative_multi_device_launch},
    {12, &Properties::device_overlap},
    {13, &Properties::managed_access_from_host},
    {14, &Properties::global_l1_cached},
    {15, &Properties::host_native_atomics},
    {16, &Properties::integrated},
    {17, &Properties::on_multi_device_board},
    {18, &Properties::kernel_timeout},
    {19, &Properties::l2_cache_bytes},
    {20, &Properties::local_l1_cached},
    {23, &Properties::major},
    {24, &Properties::managed_memory},
    {25, &Properties::max_workgroups_per_compute_unit},
    {56, &Properties::max_workgroup_workitems},
    {57, &Properties::max_workitems_per_compute_unit},
    {59, &Properties::memory_bus_bits},
    {60, &Properties::memory_clock_khz},
    {61, &Properties::minor},
    {62, &Properties::multi_device_board},
    {63, &Properties::compute_units},
    {65, &Properties::pageable_memory_access},
    {66, &Properties::page_tables_of_host},
    {67, &Properties::pci_bus},
    {68, &Properties::pci_device},
    {69, &Properties::pci_domain},
    {70, &Properties::persisting_l2_bytes},
    {71, &Properties::registers_per_workgroup},
    {72, &Properties::registers_per_compute_unit},
    {78, &Properties::stream_priorities},
    {85, &Properties::unified_addressing},
    {87, &Properties::wavefront_size},
    {88, &Properties::memory_pools},
    {90, &Properties::host_register},
    {91, &Properties::memory_pool_handle_types},
    {10000, &Properties::clock_instruction_khz},
    {10011, &Properties::large_bar},
    {10012, &Properties::asic_revision},
    {10015, &Properties::compute_units},
    {10017, &Properties::clock_instruction_khz},
};

int saturate(std::uint64_t value) {
  return static_cast<int>(std::min<std::uint64_t>(value, std::numeric_limits<std::int32_t>::max()));
}

/// Attributes of more than 32 bits, and elements of arrays.
std::optional<int> wide_attribute_of(const Properties& properties, int attribute) {
  if (attribute >= 26 && attribute <= 28)
    return properties.max_workgroup_dimensions[attribute - 26];
  if (attribute >= 29 && attribute <= 31) return properties.max_grid_dimensions[attribute - 29];
  if (attribute >= 10007 && attribute <= 10010) {
    return properties.multi_device_launch_unmatched[attribute - 10007];
  }
  switch (attribute) {
    case 58:
      return saturate(properties.memory_pitch_bytes);
    case 73:
      return saturate(properties.reserved_lds_bytes);
    case 74:
      return saturate(properties.lds_bytes_per_workgroup);
    case 75:
      return saturate(properties.lds_bytes_opt_in);
    case 76:
      return saturate(properties.lds_bytes_per_compute_unit);
    case 81:
      return saturate(properties.texture_alignment_bytes);
    case 82:
      return saturate(properties.texture_pitch_alignment_bytes);
    case 83:
      return saturate(properties.total_constant_memory_bytes);
    case 84:
      return saturate(properties.total_global_memory_bytes);
    case 10002:
      return saturate(properties.max_lds_bytes_per_compute_unit);
    default:
      return std::nullopt;
  }
}

/// What is no property.
std::optional<int> other_attribute_of(const arch::Architecture& architecture, int attribute) {
  switch (attribute) {
    case 10013:  // waits for values of memory in streams
    case 10016:  // fine-grained memory
      return 1;
    case 10018:
      return static_cast<int>(architecture.xccs);
    case 10019:
      return static_cast<int>(architecture.vgprs);
    case 10020:
      return architecture.pci_device_id;
    default:
      return std::nullopt;
  }
}

/// Sizes of images, which the devices do not have, and addresses of registers that the host may
/// write, which they hide.
constexpr int kZeroAttributes[] = {32, 39, 41, 42, 43, 44, 49, 50, 51, 53, 79, 10005, 10006, 10014};

bool is_zero(int attribute) {
  return std::find(std::begin(kZeroAttributes), std::end(kZeroAttributes), attribute) !=
         std::end(kZeroAttributes);
}

}  // namespace

std::optional<int> attribute_of(const Properties& properties,
                                const arch::Architecture& architecture, int attribute) {
  for (const PropertyAttribute& known : kPropertyAttributes) {
    if (known.number == attribute) return properties.*known.property;
  }
  if (is_zero(attribute)) return 0;
  if (const auto value = wide_attribute_of(properties, attribute)) return value;
  return other_attribute_of(architecture, attribute);
}

}  // namespace compass
