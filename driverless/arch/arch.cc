// SPDX-License-Identifier: MIT
#include "driverless/arch/arch.h"

namespace compass::arch {
namespace {

constexpr Architecture kArchitectures[] = {
    {.name = "gfx942",
     .gcn_arch_name = "gfx942:sramecc+:xnack-",
     .device_name = "AMD Instinct MI300X",
     .elf_machine = 0x4c,
     .wavefront_size = 64,
     .lds_bytes = 65536,
     .compute_units = 304,
     .max_workgroup_workitems = 1024,
     .sgprs = 102,
     .vgprs = 512,
     .memory_bytes = std::uint64_t{192} << 30,
     .clock_khz = 2100000,
     .memory_clock_khz = 1300000,
     .memory_bus_bits = 8192,
     .l2_cache_bytes = 4 << 20,
     .xccs = 8,
     .pci_device_id = 0x74a1},
    {.name = "gfx950",
     .gcn_arch_name = "gfx950:sramecc+:xnack-",
     .device_name = "AMD Instinct MI355X",
     .elf_machine = 0x4f,
     .wavefront_size = 64,
     .lds_bytes = 163840,
     .compute_units = 256,
     .max_workgroup_workitems = 1024,
     .sgprs = 102,
     .vgprs = 512,
     .memory_bytes = std::uint64_t{288} << 30,
     .clock_khz = 2400000,
     .memory_clock_khz = 2000000,
     .memory_bus_bits = 8192,
     .l2_cache_bytes = 4 << 20,
     .xccs = 8,
     .pci_device_id = 0x75a3},
};

}  // namespace

const Architecture* find(std::string_view name) {
  for (const Architecture& architecture : kArchitectures) {
    if (architecture.name == name) return &architecture;
  }
  return nullptr;
}

std::vector<std::string_view> names() {
  std::vector<std::string_view> all;
  for (const Architecture& architecture : kArchitectures) all.push_back(architecture.name);
  return all;
}

std::string list_of_names() {
  const std::vector<std::string_view> all = names();
  std::string list;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (i > 0) list += i + 1 == all.size() ? " or " : ", ";
    list += all[i];
  }
  return list;
}

}  // namespace compass::arch
