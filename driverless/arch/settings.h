// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

#include "driverless/arch/arch.h"
#include "ir/base/result.h"

namespace compass::arch {

/// `architecture` with the numbers that `settings` changes: "memory=8GiB,compute-units=64". Empty
/// settings change nothing. Every probe of the device answers with what this returns.
Result<Architecture> with_settings(const Architecture& architecture, std::string_view settings);

/// What settings may be called, as a message lists them: "memory, lds, …".
std::string list_of_settings();

inline constexpr int kMaxDevices = 64;

/// A number of devices: 1 to kMaxDevices.
Result<int> parse_device_count(std::string_view text);

}  // namespace compass::arch
