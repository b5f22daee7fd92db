// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <unordered_map>
#include <utility>
#include <vector>

#include "ir/allocation.h"

namespace compass::archive {

/// The blocks that programs cut out of their allocations, as a journal goes by. Of two live blocks
/// that share a byte one lies in the other.
class BlockTable {
 public:
  /// New blocks are appended to `allocations`, which must outlive this.
  explicit BlockTable(std::vector<Allocation>& allocations) : allocations_(allocations) {}

  /// The innermost live block that holds the byte; 0: none does.
  AllocationId holding(DeviceAddress address) const;
  /// The innermost live block that starts at `address`; 0: none does.
  AllocationId starting_at(DeviceAddress address) const;
  /// A live block that shares bytes with these and neither holds them all nor more; 0: none does.
  /// Before these are a block, each must be freed, with what lies in it.
  AllocationId in_the_way_of(DeviceAddress address, std::uint64_t size_bytes) const;
  /// The live blocks of an allocation, or a block and those in it. What lies in others comes first.
  std::vector<AllocationId> within(const Allocation& memory) const;

  /// `root`: the allocation that holds these bytes, none of which is in the way.
  AllocationId allocate(AllocationId root, DeviceAddress address, std::uint64_t size_bytes);
  void free(AllocationId block);

 private:
  /// By start, and of those with one start the larger first: whatever lies in a block follows it.
  using Key = std::pair<std::uint64_t, std::uint64_t>;
  static Key key_of(const Allocation& block) { return {block.address.value, ~block.size_bytes}; }
  const Allocation& block(AllocationId id) const { return allocations_[id.value - 1]; }

  std::vector<Allocation>& allocations_;
  std::map<Key, AllocationId> live_;
  std::unordered_map<std::uint64_t, std::uint32_t> generations_;  ///< the last, by start
};

}  // namespace compass::archive
