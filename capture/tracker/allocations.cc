// SPDX-License-Identifier: MIT
#include "capture/tracker/allocations.h"

#include <algorithm>
#include <iterator>

namespace compass::capture {

void Allocations::add(const Live& allocation) {
  by_address_.insert_or_assign(allocation.address, allocation);
}

std::optional<Allocations::Live> Allocations::remove(std::uint64_t address) {
  const auto found = by_address_.find(address);
  if (found == by_address_.end()) return std::nullopt;
  const Live ended = found->second;
  by_address_.erase(found);
  if (ended_.size() < kRemembered) {
    ended_.push_back(address);
  } else {
    ended_[next_ended_++ % kRemembered] = address;
  }
  return ended;
}

bool Allocations::has_ended(std::uint64_t address) const {
  return std::find(ended_.begin(), ended_.end(), address) != ended_.end();
}

std::vector<Allocations::Live> Allocations::of_device() const {
  std::vector<Live> found;
  for (const auto& [address, allocation] : by_address_) {
    if (allocation.kind != journal::MemoryKind::kPinnedHost) found.push_back(allocation);
  }
  return found;
}

void Allocations::clear() {
  by_address_.clear();
  ended_.clear();
  next_ended_ = 0;
}

std::optional<Allocations::Live> Allocations::find(std::uint64_t address) const {
  const auto after = by_address_.upper_bound(address);
  if (after == by_address_.begin()) return std::nullopt;
  const Live& candidate = std::prev(after)->second;
  if (address - candidate.address >= candidate.size_bytes) return std::nullopt;
  return candidate;
}

}  // namespace compass::capture
