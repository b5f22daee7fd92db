// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>
#include <vector>

#include "driverless/arch/arch.h"
#include "ir/hip/abi.h"

namespace compass {

/// The devices of this process: COMPASS_DEVICES of them, one where that is not set, each of the
/// architecture COMPASS_ARCH with the numbers that COMPASS_SET changes. Of these the process sees
/// what ROCR_VISIBLE_DEVICES and HIP_VISIBLE_DEVICES leave, as with AMD's runtime.
struct DeclaredDevices {
  arch::Architecture architecture;
  std::vector<int> visible;  ///< of the declared devices, by HIP's ordinal; never empty
};

/// What is declared. Null where the process can have no device, which is said once; `error` is then
/// what HIP's calls answer. Threads: one at a time.
const DeclaredDevices* declared_devices(hip::Error& error);

/// What a list of visible devices leaves of `devices`: "1,0", or UUIDs ("GPU-" and 16 digits). It
/// ends at its first entry that is no device.
std::vector<int> visible_devices(const std::vector<int>& devices, std::string_view list);

}  // namespace compass
