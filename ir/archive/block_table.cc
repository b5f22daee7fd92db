// SPDX-License-Identifier: MIT
#include "ir/archive/block_table.h"

#include <iterator>
#include <limits>

namespace compass::archive {
namespace {

constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max();

/// The last byte; the highest address where a journal claims more than there is.
std::uint64_t last_of(DeviceAddress address, std::uint64_t size_bytes) {
  return size_bytes - 1 > kMost - address.value ? kMost : address.value + (size_bytes - 1);
}

bool holds(const Allocation& outer, DeviceAddress address) {
  return address.value >= outer.address.value &&
         address.value - outer.address.value < outer.size_bytes;
}

bool holds(const Allocation& outer, DeviceAddress address, std::uint64_t size_bytes) {
  return holds(outer, address) &&
         size_bytes <= outer.size_bytes - (address.value - outer.address.value);
}

}  // namespace

/// Every block that holds the byte holds the last one that starts before it, or is that one.
AllocationId BlockTable::holding(DeviceAddress address) const {
  const auto next = live_.upper_bound({address.value, kMost});
  if (next == live_.begin()) return {};
  AllocationId id = std::prev(next)->second;
  while (block(id).parent && !holds(block(id), address)) id = block(id).parent;
  return block(id).parent ? id : AllocationId{};
}

AllocationId BlockTable::starting_at(DeviceAddress address) const {
  const auto next = live_.upper_bound({address.value, kMost});
  if (next == live_.begin()) return {};
  const AllocationId id = std::prev(next)->second;
  return block(id).address == address ? id : AllocationId{};
}

AllocationId BlockTable::in_the_way_of(DeviceAddress address, std::uint64_t size_bytes) const {
  const auto is_around = [&](const Allocation& other) {
    return other.size_bytes > size_bytes && holds(other, address, size_bytes);
  };
  for (AllocationId id = holding(address); id && block(id).parent; id = block(id).parent) {
    if (!is_around(block(id))) return id;
  }
  const auto end = live_.upper_bound({last_of(address, size_bytes), kMost});
  for (auto it = live_.lower_bound({address.value, 0}); it != end; ++it) {
    if (!is_around(block(it->second))) return it->second;
  }
  return {};
}

std::vector<AllocationId> BlockTable::within(const Allocation& memory) const {
  const Key first = memory.parent ? key_of(memory) : Key{memory.address.value, 0};
  const auto end = live_.upper_bound({last_of(memory.address, memory.size_bytes), kMost});
  std::vector<AllocationId> found;
  for (auto it = live_.lower_bound(first); it != end; ++it) found.push_back(it->second);
  return {found.rbegin(), found.rend()};
}

AllocationId BlockTable::allocate(AllocationId root, DeviceAddress address,
                                  std::uint64_t size_bytes) {
  const AllocationId around = holding(address);
  Allocation made;
  made.id = {static_cast<std::uint32_t>(allocations_.size() + 1)};
  made.address = address;
  made.size_bytes = size_bytes;
  made.kind = block(root).kind;
  made.generation = ++generations_[address.value];
  made.parent = around ? around : root;
  live_[key_of(made)] = made.id;
  allocations_.push_back(std::move(made));
  return allocations_.back().id;
}

void BlockTable::free(AllocationId id) { live_.erase(key_of(block(id))); }

}  // namespace compass::archive
