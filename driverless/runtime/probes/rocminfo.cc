// SPDX-License-Identifier: MIT
//
// rocminfo: the agents of HSA. Readers look for "Agent N", names that hold "gfx", "Device Type",
// "Compute Unit", and "Size" of "Pool 1", by line and in this order.
#include <unistd.h>

#include <string>

#include "driverless/runtime/probes/device.h"

namespace compass::probes {
namespace {

/// "  Name:                    gfx950", the value in the column where AMD's program has it.
std::string line(int indent, std::string_view key, std::string_view value) {
  constexpr std::size_t kValueColumn = 25;
  std::string text = concat(std::string(static_cast<std::size_t>(indent), ' '), key, ":");
  const std::size_t column = kValueColumn + static_cast<std::size_t>(indent);
  if (text.size() < column) text.append(column - text.size(), ' ');
  return concat(text, value, "\n");
}

/// "64(0x40)".
std::string in_both_bases(std::uint64_t value) { return concat(value, "(", hex(value), ")"); }

std::string kibibytes(std::uint64_t size_bytes) {
  return concat(in_both_bases(size_bytes / 1024), " KB");
}

std::string agent_heading(int number) { return concat("*******\nAgent ", number, "\n*******\n"); }

std::string header() {
  return concat(
      "The devices are declared, by compass-capture\n"
      "=====================\nHSA System Attributes\n=====================\n",
      line(0, "Runtime Version", "1.18"), line(0, "Machine Model", "LARGE"),
      line(0, "System Endianness", "LITTLE"), "\n==========\nHSA Agents\n==========\n");
}

std::string host_agent() {
  const long processors = ::sysconf(_SC_NPROCESSORS_ONLN);
  return concat(agent_heading(1), line(2, "Name", "CPU"), line(2, "Uuid", "CPU-XX"),
                line(2, "Marketing Name", "CPU"), line(2, "Vendor Name", "CPU"),
                line(2, "Feature", "None specified"), line(2, "Profile", "FULL_PROFILE"),
                line(2, "Node", "0"), line(2, "Device Type", "CPU"), line(2, "BDFID", "0"),
                line(2, "Internal Node ID", "0"),
                line(2, "Compute Unit", std::to_string(processors)));
}

std::string identity(const Device& device, int node) {
  const arch::Architecture& architecture = device.architecture;
  const DeviceProperties& at = device.properties;
  const std::int32_t bdf = at.pci_bus << 8 | at.pci_device << 3;
  return concat(line(2, "Name", architecture.name),
                line(2, "Uuid", concat("GPU-", arch::uuid_of(device.number))),
                line(2, "Marketing Name", architecture.device_name), line(2, "Vendor Name", "AMD"),
                line(2, "Feature", "KERNEL_DISPATCH"), line(2, "Profile", "BASE_PROFILE"),
                line(2, "Node", std::to_string(node)), line(2, "Device Type", "GPU"),
                "  Cache Info:\n", line(4, "L2", kibibytes(architecture.l2_cache_bytes)),
                line(2, "Chip ID", in_both_bases(architecture.pci_device_id)),
                line(2, "Max Clock Freq. (MHz)", std::to_string(architecture.clock_khz / 1000)),
                line(2, "BDFID", std::to_string(bdf)),
                line(2, "Internal Node ID", std::to_string(node)));
}

/// A size, and the same for each of the three dimensions.
std::string sizes(int indent, std::string_view what, std::uint64_t all,
                  const std::int32_t (&each)[3]) {
  std::string text = concat(line(indent, concat(what, " Max Size"), in_both_bases(all)),
                            std::string(static_cast<std::size_t>(indent), ' '), what,
                            " Max Size per Dimension:\n");
  constexpr std::string_view kNames[] = {"x", "y", "z"};
  for (std::size_t i = 0; i < 3; ++i) {
    std::string entry(static_cast<std::size_t>(indent) + 2, ' ');
    entry += kNames[i];
    entry.append(24, ' ');
    text += concat(entry, in_both_bases(static_cast<std::uint64_t>(each[i])), "\n");
  }
  return text;
}

std::string limits(const Device& device) {
  const arch::Architecture& architecture = device.architecture;
  const DeviceProperties& at = device.properties;
  return concat(
      line(2, "Compute Unit", std::to_string(architecture.compute_units)),
      line(2, "SIMDs per CU", "4"), line(2, "Coherent Host Access", "FALSE"),
      line(2, "Features", "KERNEL_DISPATCH"), line(2, "Fast F16 Operation", "TRUE"),
      line(2, "Wavefront Size", in_both_bases(architecture.wavefront_size)),
      sizes(2, "Workgroup", architecture.max_workgroup_workitems, at.max_workgroup_dimensions),
      line(2, "Max Work-item Per CU",
           in_both_bases(static_cast<std::uint64_t>(at.max_workitems_per_compute_unit))),
      sizes(2, "Grid", 0xffffffff, at.max_grid_dimensions));
}

std::string pool(int number, std::string_view segment, std::uint64_t size_bytes,
                 std::string_view allocatable) {
  return concat("    Pool ", number, "\n", line(6, "Segment", segment),
                line(6, "Size", kibibytes(size_bytes)), line(6, "Allocatable", allocatable),
                line(6, "Accessible by all", "FALSE"));
}

std::string memory(const arch::Architecture& architecture) {
  return concat("  Pool Info:\n",
                pool(1, "GLOBAL; FLAGS: COARSE GRAINED", architecture.memory_bytes, "TRUE"),
                pool(2, "GLOBAL; FLAGS: EXTENDED FINE GRAINED", architecture.memory_bytes, "TRUE"),
                pool(3, "GLOBAL; FLAGS: FINE GRAINED", architecture.memory_bytes, "TRUE"),
                pool(4, "GROUP", architecture.lds_bytes, "FALSE"));
}

std::string isa(const Device& device) {
  return concat("  ISA Info:\n    ISA 1\n",
                line(6, "Name", concat("amdgcn-amd-amdhsa--", device.architecture.gcn_arch_name)),
                line(6, "Machine Models", "HSA_MACHINE_MODEL_LARGE"),
                line(6, "Profiles", "HSA_PROFILE_BASE"), line(6, "Default Rounding Mode", "NEAR"),
                line(6, "Fast f16", "TRUE"));
}

int run(int argc, char** argv) {
  if (argc != 1) return refuse("rocminfo", concat("expected no argument, found '", argv[1], "'"));
  const arch::DeclaredDevices* const devices = declared("rocminfo");
  if (devices == nullptr) return 1;
  std::string text = header() + host_agent();
  int node = 1;
  for (const Device& device : describe(devices->architecture, devices->agents)) {
    text += concat(agent_heading(node + 1), identity(device, node), limits(device),
                   memory(device.architecture), isa(device));
    ++node;
  }
  return print(text + "*** Done ***\n");
}

}  // namespace
}  // namespace compass::probes

int main(int argc, char** argv) { return compass::probes::run(argc, argv); }
