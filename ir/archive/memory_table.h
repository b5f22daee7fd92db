// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <unordered_map>
#include <vector>

#include "ir/allocation.h"
#include "ir/archive/block_table.h"

namespace compass::archive {

/// Which allocation an address belongs to, as a journal goes by. Live allocations do not overlap.
class MemoryTable {
 public:
  /// New allocations are appended to `allocations`, which must outlive this.
  explicit MemoryTable(std::vector<Allocation>& allocations)
      : allocations_(allocations), blocks_(allocations) {}

  /// The live allocations that share a byte with the `size_bytes` at `address`. They must be freed
  /// before those are allocated.
  std::vector<AllocationId> overlapping(DeviceAddress address, std::uint64_t size_bytes) const;
  AllocationId allocate(AllocationKind kind, DeviceAddress address, std::uint64_t size_bytes);
  /// Its blocks must have been freed.
  void free(AllocationId allocation);
  BlockTable& blocks() { return blocks_; }

  /// The live allocation that starts at `address`; 0: none does.
  AllocationId starting_at(DeviceAddress address) const;
  /// The last allocation that started at `address`, live or freed; 0: none did.
  AllocationId last_starting_at(DeviceAddress address) const;
  /// The place in a live allocation, or in the innermost live block that holds the byte. One past
  /// an allocation's end is a place too, unless another starts there.
  /// Nowhere, with the address as offset, if there is none.
  MemoryRef find_live(DeviceAddress address) const;
  /// find_live(), or else the place in the allocation freed last of those that held the byte.
  MemoryRef find(DeviceAddress address) const;

 private:
  /// Bytes that no live allocation need hold, and the last that was freed of those that did.
  struct Freed {
    std::uint64_t end = 0;
    AllocationId allocation;
  };
  void forget_freed(std::uint64_t start, std::uint64_t end);

  std::vector<Allocation>& allocations_;
  BlockTable blocks_;
  std::map<std::uint64_t, AllocationId> live_;            ///< by start
  std::map<std::uint64_t, Freed> freed_;                  ///< by start; disjoint
  std::unordered_map<std::uint64_t, AllocationId> last_;  ///< by start
};

}  // namespace compass::archive
