// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace compass {

inline constexpr std::size_t kGridSyncBytes = 48;

/// What the hidden argument "multigrid_sync_arg" points at in a cooperative launch, as the device
/// libraries of ROCm read it: the counters by which one grid's workgroups wait for one another,
/// then how many there are. What comes before is of launches on several devices, and zero.
inline std::array<std::byte, kGridSyncBytes> make_grid_sync(std::uint32_t workgroups) {
  constexpr std::size_t kWorkgroupsOffset = 40;
  std::array<std::byte, kGridSyncBytes> block{};
  std::memcpy(block.data() + kWorkgroupsOffset, &workgroups, sizeof workgroups);
  return block;
}

}  // namespace compass
