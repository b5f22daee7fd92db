// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>

#include "driverless/machine/region.h"

namespace compass {

/// Regions that have ended, by the addresses that they held.
///
/// Where several have held an address, the one that ended last counts. Lookups take a logarithm of
/// how many are remembered; the oldest are forgotten, so that a program which allocates and frees
/// without end costs no more and more memory.
class FreedRegions {
 public:
  static constexpr std::size_t kMost = std::size_t{1} << 17;

  /// Remembers about as many regions as `most`: those cut in two by later ones count twice.
  explicit FreedRegions(std::size_t most = kMost) : most_(most) {}

  void add(const Region& region);

  /// Null if no remembered region held `address`. Valid until the next add.
  const Region* find(DeviceAddress address) const;

 private:
  /// What of a region is not hidden by one that ended later.
  struct Piece {
    DeviceAddress end;
    std::uint64_t order = 0;  ///< of the end of its region
    Region region;
  };
  struct Entry {
    DeviceAddress begin;
    std::uint64_t order;
  };

  void insert(DeviceAddress begin, const Piece& piece);
  void hide(DeviceAddress begin, DeviceAddress end);

  std::size_t most_;
  std::uint64_t ended_ = 0;
  std::map<DeviceAddress, Piece> pieces_;  // by begin; disjoint
  std::deque<Entry> entries_;              // of pieces, some of them gone, the oldest first
};

}  // namespace compass
