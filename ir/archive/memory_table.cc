// SPDX-License-Identifier: MIT
#include "ir/archive/memory_table.h"

#include <iterator>
#include <limits>

namespace compass::archive {
namespace {

/// One past the last byte; the highest address where a journal claims more than there is.
std::uint64_t end_of(DeviceAddress address, std::uint64_t size_bytes) {
  const std::uint64_t room = std::numeric_limits<std::uint64_t>::max() - address.value;
  return size_bytes > room ? std::numeric_limits<std::uint64_t>::max() : address.value + size_bytes;
}

}  // namespace

std::vector<AllocationId> MemoryTable::overlapping(DeviceAddress address,
                                                   std::uint64_t size_bytes) const {
  std::vector<AllocationId> found;
  auto next = live_.lower_bound(address.value);
  if (next != live_.begin()) {
    const Allocation& before = allocations_[std::prev(next)->second.value - 1];
    if (address.value - before.address.value < before.size_bytes) found.push_back(before.id);
  }
  for (; next != live_.end() && next->first < end_of(address, size_bytes); ++next) {
    found.push_back(next->second);
  }
  return found;
}

AllocationId MemoryTable::allocate(AllocationKind kind, DeviceAddress address,
                                   std::uint64_t size_bytes) {
  Allocation allocation;
  allocation.id = {static_cast<std::uint32_t>(allocations_.size() + 1)};
  allocation.address = address;
  allocation.size_bytes = size_bytes;
  allocation.kind = kind;
  const AllocationId before = last_starting_at(address);
  allocation.generation = before ? allocations_[before.value - 1].generation + 1 : 1;
  allocations_.push_back(allocation);
  live_[address.value] = last_[address.value] = allocation.id;
  return allocation.id;
}

void MemoryTable::free(AllocationId id) {
  const Allocation& allocation = allocations_[id.value - 1];
  const std::uint64_t start = allocation.address.value;
  const std::uint64_t end = end_of(allocation.address, allocation.size_bytes);
  live_.erase(start);
  forget_freed(start, end);
  if (start < end) freed_[start] = {end, id};
}

void MemoryTable::forget_freed(std::uint64_t start, std::uint64_t end) {
  auto at = freed_.lower_bound(start);
  if (at != freed_.begin()) {
    const auto before = std::prev(at);
    const Freed whole = before->second;
    if (whole.end > start) before->second.end = start;
    if (whole.end > end) freed_[end] = whole;
  }
  while (at != freed_.end() && at->first < end) {
    const Freed whole = at->second;
    at = freed_.erase(at);
    if (whole.end > end) freed_[end] = whole;
  }
}

AllocationId MemoryTable::starting_at(DeviceAddress address) const {
  const auto found = live_.find(address.value);
  return found == live_.end() ? AllocationId{} : found->second;
}

AllocationId MemoryTable::last_starting_at(DeviceAddress address) const {
  const auto found = last_.find(address.value);
  return found == last_.end() ? AllocationId{} : found->second;
}

MemoryRef MemoryTable::find_live(DeviceAddress address) const {
  const auto next = live_.upper_bound(address.value);
  if (next == live_.begin()) return {{}, address.value};
  const Allocation& before = allocations_[std::prev(next)->second.value - 1];
  const std::uint64_t offset = address.value - before.address.value;
  if (offset > before.size_bytes) return {{}, address.value};
  const AllocationId block = blocks_.holding(address);
  if (!block) return {before.id, offset};
  return {block, address.value - allocations_[block.value - 1].address.value};
}

MemoryRef MemoryTable::find(DeviceAddress address) const {
  const MemoryRef live = find_live(address);
  if (live.allocation) return live;
  const auto next = freed_.upper_bound(address.value);
  if (next == freed_.begin()) return live;
  const auto& [start, freed] = *std::prev(next);
  if (address.value >= freed.end) return live;
  return {freed.allocation, address.value - allocations_[freed.allocation.value - 1].address.value};
}

}  // namespace compass::archive
