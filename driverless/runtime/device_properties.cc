// SPDX-License-Identifier: MIT
#include "driverless/runtime/device_properties.h"

#include <algorithm>
#include <limits>
#include <string_view>

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
  properties.memory_clock_khz = 1'300'000;
  properties.memory_bus_bits = 8192;
  properties.l2_cache_bytes = 4 << 20;
}

void put_features(DeviceProperties& properties) {
  properties.device_overlap = 1;
  properties.can_map_host_memory = 1;
  properties.concurrent_kernels = 1;
  properties.async_engines = 8;
  properties.unified_addressing = 1;
  properties.stream_priorities = 1;
  properties.managed_memory = 1;
  properties.cooperative_launch = 1;
  properties.cooperative_multi_device_launch = 1;
  properties.host_register = 1;
  properties.memory_pools = 1;
  properties.architecture_features = 0x1FFFF & ~(1u << 16);  // all but dynamic parallelism
  properties.large_bar = 1;
}

/// An attribute whose value is a 32-bit property.
struct Attribute {
  int number;
  std::int32_t DeviceProperties::*property;
};

constexpr Attribute kAttributes[] = {
    {0, &DeviceProperties::ecc_enabled},
    {2, &DeviceProperties::async_engines},
    {3, &DeviceProperties::can_map_host_memory},
    {5, &DeviceProperties::clock_khz},
    {8, &DeviceProperties::concurrent_kernels},
    {10, &DeviceProperties::cooperative_launch},
    {11, &DeviceProperties::cooperative_multi_device_launch},
    {12, &DeviceProperties::device_overlap},
    {16, &DeviceProperties::integrated},
    {19, &DeviceProperties::l2_cache_bytes},
    {23, &DeviceProperties::major},
    {24, &DeviceProperties::managed_memory},
    {25, &DeviceProperties::max_workgroups_per_compute_unit},
    {56, &DeviceProperties::max_workgroup_workitems},
    {57, &DeviceProperties::max_workitems_per_compute_unit},
    {59, &DeviceProperties::memory_bus_bits},
    {60, &DeviceProperties::memory_clock_khz},
    {61, &DeviceProperties::minor},
    {63, &DeviceProperties::compute_units},
    {67, &DeviceProperties::pci_bus},
    {68, &DeviceProperties::pci_device},
    {69, &DeviceProperties::pci_domain},
    {71, &DeviceProperties::registers_per_workgroup},
    {72, &DeviceProperties::registers_per_compute_unit},
    {78, &DeviceProperties::stream_priorities},
    {85, &DeviceProperties::unified_addressing},
    {87, &DeviceProperties::wavefront_size},
    {88, &DeviceProperties::memory_pools},
    {90, &DeviceProperties::host_register},
    {10000, &DeviceProperties::clock_instruction_khz},
    {10011, &DeviceProperties::large_bar},
    {10012, &DeviceProperties::asic_revision},
    {10015, &DeviceProperties::compute_units},
    {10017, &DeviceProperties::clock_instruction_khz},
};

int saturate(std::uint64_t value) {
  return static_cast<int>(std::min<std::uint64_t>(value, kMost32));
}

/// Attributes of more than 32 bits, and elements of arrays.
std::optional<int> wide_attribute_of(const DeviceProperties& properties, int attribute) {
  switch (attribute) {
    case 26:
    case 27:
    case 28:
      return properties.max_workgroup_dimensions[attribute - 26];
    case 29:
    case 30:
    case 31:
      return properties.max_grid_dimensions[attribute - 29];
    case 55:
      return properties.max_workgroup_dimensions[0];
    case 58:
      return saturate(properties.memory_pitch_bytes);
    case 74:
    case 75:
      return saturate(properties.lds_bytes_per_workgroup);
    case 76:
    case 10002:
      return saturate(properties.lds_bytes_per_compute_unit);
    case 81:
      return saturate(properties.texture_alignment_bytes);
    case 82:
      return saturate(properties.texture_pitch_alignment_bytes);
    case 83:
      return saturate(properties.total_constant_memory_bytes);
    case 84:
      return saturate(properties.total_global_memory_bytes);
    default:
      return std::nullopt;
  }
}

/// What exists in HIP and is zero for these devices.
bool is_known(int attribute) {
  return (attribute >= 0 && attribute <= 94) || (attribute >= 10000 && attribute <= 10021);
}

}  // namespace

DeviceProperties properties_of(const arch::Architecture& architecture) {
  DeviceProperties properties{};
  put_text(properties.name, architecture.device_name);
  put_text(properties.gcn_arch_name, architecture.gcn_arch_name);
  put_text(properties.uuid, "GPU-compass-0");
  put_version(properties, architecture.name);
  put_limits(properties, architecture);
  put_memory(properties, architecture);
  put_features(properties);
  return properties;
}

std::optional<int> attribute_of(const DeviceProperties& properties, int attribute) {
  const auto* at = std::find_if(
      std::begin(kAttributes), std::end(kAttributes),
      [attribute](const Attribute& candidate) { return candidate.number == attribute; });
  if (at != std::end(kAttributes)) return properties.*at->property;
  if (const std::optional<int> value = wide_attribute_of(properties, attribute)) return value;
  return is_known(attribute) ? std::optional<int>(0) : std::nullopt;
}

}  // namespace compass
