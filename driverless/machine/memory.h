// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "ir/allocation.h"
#include "ir/base/bytes.h"
#include "ir/base/result.h"

namespace compass {

enum class RegionKind : std::uint8_t {
  kDevice,
  kPinnedHost,
  kCode,     ///< a loaded code object: instructions, constants, module globals
  kKernarg,  ///< arguments of the launch that runs
};

/// Addressable bytes: [base, base + size_bytes), stored at `host`. The owner of the bytes is whoever
/// mapped them. `id` is 0 for regions that no program allocated.
struct Region {
  DeviceAddress base;
  std::uint64_t size_bytes = 0;
  std::byte* host = nullptr;
  RegionKind kind = RegionKind::kDevice;
  AllocationId id;
  std::uint32_t generation = 1;
  bool writable = true;

  DeviceAddress end() const { return base + size_bytes; }
  /// Whether all of [address, address + size) lies inside.
  bool contains(DeviceAddress address, std::uint64_t size) const {
    return address.value - base.value <= size_bytes &&
           size <= size_bytes - (address.value - base.value);
  }
};

/// What the agent can address, to the byte, and what it could address once.
///
/// Lookups take a logarithm of the number of regions. Threads: one at a time, or readers only.
class Memory {
 public:
  /// Fails if any byte of `region` is already mapped or its end wraps.
  Result<void> map(const Region& region);

  /// Ends the region that starts at `base`; a program's allocation is remembered as freed. Fails if
  /// there is none.
  Result<Region> unmap(DeviceAddress base);

  /// The live region that contains `address`, or null. Valid until the next map or unmap.
  const Region* find(DeviceAddress address) const;

  /// The live region with the fewest bytes between it and `address`, or null if there is none.
  const Region* nearest(DeviceAddress address) const;

  /// The region freed last of those that contained `address`, or null.
  const Region* freed(DeviceAddress address) const;

  /// The storage of [address, address + size), or null if that is not all in one live region.
  std::byte* host(DeviceAddress address, std::uint64_t size) const;

  const std::vector<Region>& regions() const { return live_; }

 private:
  std::vector<Region> live_;   // by base
  std::vector<Region> freed_;  // in the order of their end
};

}  // namespace compass
