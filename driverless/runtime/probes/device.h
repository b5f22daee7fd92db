// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "driverless/arch/declared_devices.h"
#include "driverless/runtime/device_properties.h"

/// What the probe programs share. They take the place of AMD's programs of the same names, so that
/// whoever asks those what the device is gets what the HIP API says too.
namespace compass::probes {

/// A device that a probe lists.
struct Device {
  arch::Architecture architecture;
  DeviceProperties properties;
  int number;  ///< in the declaration
};

std::vector<Device> describe(const arch::Architecture& architecture,
                             const std::vector<int>& numbers);

/// "0000:01:00.0".
std::string pci_address(const Device& device);

/// The devices that the environment declares; null, with the cause on standard error, where it
/// declares none.
const arch::DeclaredDevices* declared(std::string_view program);

/// Says on standard error what is wrong with the command line; the exit code for that.
int refuse(std::string_view program, std::string_view what);

/// "7.2.0": of the HIP runtime that programs find.
std::string hip_version_text();

/// Prints all of it; the exit code.
int print(std::string_view text);

}  // namespace compass::probes
