// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "ir/device_address.h"

namespace compass {

/// What a kernel can read of its dispatch through the user SGPRs "dispatch ptr".
struct DispatchPacket {
  std::array<std::uint32_t, 3> grid_workgroups{1, 1, 1};
  std::array<std::uint32_t, 3> workgroup_workitems{1, 1, 1};
  std::uint32_t scratch_bytes = 0;  ///< of a work-item
  std::uint32_t lds_bytes = 0;      ///< static and dynamic
  DeviceAddress descriptor;
  DeviceAddress kernarg;
};

inline constexpr std::size_t kDispatchPacketBytes = 64;

/// The packet as HSA lays it out: "HSA Platform System Architecture Specification", section "Kernel
/// dispatch packet". No queue reads it: its signal is null.
std::array<std::byte, kDispatchPacketBytes> lay_out(const DispatchPacket& packet);

}  // namespace compass
