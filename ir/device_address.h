// SPDX-License-Identifier: MIT
#pragma once

#include <compare>
#include <cstdint>

namespace compass {

/// An address in the captured process's GPU address space.
///
/// It is a name, not a pointer: the byte it named lived on a device that may be gone. Addresses are
/// reused, so equal addresses at different times may belong to different allocations: to ask "same
/// memory?", compare AllocationId. Trivially copyable, 8 bytes, ordered. DeviceAddress{} is null.
struct DeviceAddress {
  std::uint64_t value = 0;
  explicit operator bool() const { return value != 0; }
  friend auto operator<=>(DeviceAddress, DeviceAddress) = default;
  friend DeviceAddress operator+(DeviceAddress address, std::uint64_t offset) {
    return {address.value + offset};
  }
};

}  // namespace compass
