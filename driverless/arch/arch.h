// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace compass::arch {

/// A declared architecture: everything that a program may ask about the device, in one place.
struct Architecture {
  std::string_view name;  ///< "gfx950"
  std::string_view
      gcn_arch_name;             ///< with feature flags, as HIP gives it: "gfx950:sramecc+:xnack-"
  std::string_view device_name;  ///< what the runtime calls the device
  std::uint32_t elf_machine;     ///< EF_AMDGPU_MACH of its code objects
  std::uint32_t wavefront_size;
  std::uint32_t lds_bytes;  ///< a workgroup may use
  std::uint32_t compute_units;
  std::uint32_t max_workgroup_workitems;
  std::uint32_t sgprs;  ///< a wavefront may address, without VCC and the like
  std::uint32_t vgprs;  ///< a wavefront may address, ArchVGPRs and AccVGPRs together
  std::uint64_t memory_bytes;
  std::uint32_t clock_khz;
  std::uint32_t memory_clock_khz;
  std::uint32_t memory_bus_bits;
  std::uint32_t l2_cache_bytes;  ///< of one accelerator complex die
  std::uint32_t xccs;            ///< accelerator complex dies that are one device
  std::uint16_t pci_device_id;   ///< of AMD, whose vendor id is 0x1002
};

/// The declaration called `name`, or null.
const Architecture* find(std::string_view name);

/// Every declared architecture, by name.
std::vector<std::string_view> names();

/// Their names as a message lists them: "gfx942 or gfx950".
std::string list_of_names();

}  // namespace compass::arch
