// SPDX-License-Identifier: MIT
#pragma once

#include <bitset>
#include <cstdint>

#include "driverless/arch/settings.h"

namespace compass {

/// What a program sets of a device and may ask for again.
struct DeviceSettings {
  unsigned flags = 1;  ///< of hipSetDeviceFlags: waits spin
  std::uint64_t stack_bytes = 1024;
  std::uint64_t heap_bytes = std::uint64_t{8} << 20;
  std::bitset<arch::kMaxDevices> peers;  ///< that the device may access, by ordinal
  bool is_active = false;                ///< a thread has chosen the device or holds its context
};

}  // namespace compass
