// SPDX-License-Identifier: MIT
#include "driverless/runtime/probes/device.h"

#include <cstdio>

#include "driverless/runtime/abi_major.h"

namespace compass::probes {

std::vector<Device> describe(const arch::Architecture& architecture,
                             const std::vector<int>& numbers) {
  std::vector<Device> devices;
  for (const int number : numbers) {
    devices.push_back({architecture, properties_of(architecture, number), number});
  }
  return devices;
}

std::string pci_address(const Device& device) {
  const auto digits = [](std::int32_t value, int count) {
    return hex(static_cast<std::uint64_t>(value), count).substr(2);
  };
  const DeviceProperties& at = device.properties;
  return concat(digits(at.pci_domain, 4), ":", digits(at.pci_bus, 2), ":", digits(at.pci_device, 2),
                ".0");
}

const arch::DeclaredDevices* declared(std::string_view program) {
  static const auto* const devices =
      new Result<arch::DeclaredDevices>(arch::read_declared_devices());
  if (*devices) return &**devices;
  std::fprintf(stderr, "%s: compass-capture: %s\n", std::string(program).c_str(),
               devices->error().message.c_str());
  return nullptr;
}

int refuse(std::string_view program, std::string_view what) {
  std::fprintf(stderr, "%s: compass-capture: %s\n", std::string(program).c_str(),
               std::string(what).c_str());
  return 2;
}

std::string hip_version_text() {
  const int version = hip_version();
  return concat(version / 10'000'000, ".", version / 100'000 % 100, ".", version % 100'000);
}

int print(std::string_view text) {
  const bool written =
      std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0;
  return written ? 0 : 1;
}

}  // namespace compass::probes
