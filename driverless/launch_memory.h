// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "driverless/dispatch_packet.h"
#include "driverless/grid_sync.h"
#include "driverless/machine/memory.h"
#include "ir/base/bytes.h"

namespace compass {

/// What the kernel that runs reaches besides what programs allocate: its dispatch packet, its
/// kernarg segment and, where the launch is cooperative, the counters of its grid.
///
/// The regions stay mapped, from `base` on, and are empty while no kernel runs.
class LaunchMemory {
 public:
  static constexpr std::uint64_t kBytes = std::uint64_t{1} << 22;

  /// `memory` must outlive this.
  LaunchMemory(Memory& memory, DeviceAddress base);

  DeviceAddress packet_address() const { return packet_region_.base; }
  DeviceAddress kernarg_address() const { return kernarg_region_.base; }
  DeviceAddress grid_sync_address() const { return grid_sync_region_.base; }
  const Region& kernarg_region() const { return kernarg_region_; }

  /// `kernarg` is not copied; it must stay until hide().
  void show(const DispatchPacket& packet, std::span<std::byte> kernarg);
  void show_grid_sync(std::uint32_t workgroups);
  void hide();

 private:
  enum class Access : std::uint8_t { kRead, kReadAndWrite };
  static Region& map(Memory& memory, DeviceAddress base, std::uint64_t most_bytes, Access access);

  std::array<std::byte, kDispatchPacketBytes> packet_{};
  std::array<std::byte, kGridSyncBytes> grid_sync_{};
  Region& packet_region_;
  Region& grid_sync_region_;
  Region& kernarg_region_;
};

}  // namespace compass
