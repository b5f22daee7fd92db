// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "driverless/machine/freed_regions.h"
#include "driverless/machine/region.h"
#include "ir/allocation.h"
#include "ir/base/bytes.h"
#include "ir/base/result.h"

namespace compass {

/// What the agent can address, to the byte, and what it could address once.
///
/// Lookups take a logarithm of the number of regions. Threads: one at a time, or readers only.
class Memory {
 public:
  Memory() = default;
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;

  /// Fails if any byte of `region` is already mapped or its end wraps. What a program allocated on
  /// the device starts undefined; what the host can write unseen is known.
  ///
  /// Gives the region until it is unmapped: whoever maps what no program allocated may exchange its
  /// storage and make it smaller, also empty, between accesses.
  Result<Region*> map(Region region);

  /// Ends the region that starts at `base`; a program's allocation is remembered as freed. Fails if
  /// there is none.
  Result<Region> unmap(DeviceAddress base);

  /// The live region that contains `address`, or null. Valid until the next map or unmap.
  const Region* find(DeviceAddress address) const;

  /// The live region with the fewest bytes between it and `address`, or null if there is none.
  const Region* nearest(DeviceAddress address) const;

  /// The region freed last of those that contained `address`, or null; FreedRegions says how many
  /// are remembered.
  const Region* freed(DeviceAddress address) const { return freed_.find(address); }

  /// The storage of [address, address + size), or null if that is not all in one live region.
  std::byte* host(DeviceAddress address, std::uint64_t size) const;

  /// Calls `visit(const Region&)` for each live region, from the lowest address on.
  template <class Visit>
  void for_each_region(Visit visit) const {
    for (const auto& [base, region] : live_) visit(region);
  }

  // What happens to memory outside of launches; addresses that are not mapped are passed over.
  // `writer` is the tag of whoever does it, as launches have one.

  void note_write(DeviceAddress address, std::uint64_t size, ByteState state, std::uint32_t writer);
  void note_copy(DeviceAddress destination, DeviceAddress source, std::uint64_t size,
                 std::uint32_t writer);

  /// Ends the running launch: what it wrote is `writer`'s. Gives what it touched, by region, to
  /// `visit(const Region&, const TouchedExtents&)`. Costs nothing for regions that it left alone.
  template <class Visit>
  void end_launch(std::uint32_t writer, Visit visit) {
    for (const Region* region : take_touched()) visit(*region, region->shadow->end_launch(writer));
  }

 private:
  std::vector<const Region*> take_touched();

  std::map<DeviceAddress, Region> live_;  // by base
  FreedRegions freed_;
  std::vector<DeviceAddress> touched_;  // bases of regions that the running launch has touched
};

}  // namespace compass
