// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "driverless/machine/shadow.h"
#include "ir/device_address.h"
#include "ir/ids.h"

namespace compass {

enum class RegionKind : std::uint8_t {
  kDevice,
  kPinnedHost,  ///< page-locked by the runtime, or the host's own and registered with it
  kManaged,     ///< the host's and the device's
  kCode,     ///< a loaded code object: instructions, constants, module globals
  kKernarg,  ///< arguments of the launch that runs
};

/// Addressable bytes: [base, base + size_bytes), stored at `host`. The owner of the bytes is
/// whoever mapped them. `id` is 0 for regions that no program allocated.
struct Region {
  DeviceAddress base;
  std::uint64_t size_bytes = 0;
  std::byte* host = nullptr;
  RegionKind kind = RegionKind::kDevice;
  AllocationId id;
  std::uint32_t generation = 1;
  bool writable = true;
  /// Of memory that a program allocated; null elsewhere. Made by Memory::map.
  std::shared_ptr<Shadow> shadow = nullptr;

  DeviceAddress end() const { return base + size_bytes; }
  /// Whether all of [address, address + size) lies inside.
  bool contains(DeviceAddress address, std::uint64_t size) const {
    return address.value - base.value <= size_bytes &&
           size <= size_bytes - (address.value - base.value);
  }
};

}  // namespace compass
