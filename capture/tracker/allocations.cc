// SPDX-License-Identifier: MIT
#include "capture/tracker/allocations.h"

#include <iterator>

namespace compass::capture {

void Allocations::add(const Live& allocation) {
  by_address_.insert_or_assign(allocation.address, allocation);
}

bool Allocations::remove(std::uint64_t address) { return by_address_.erase(address) != 0; }

std::optional<Allocations::Live> Allocations::find(std::uint64_t address) const {
  const auto after = by_address_.upper_bound(address);
  if (after == by_address_.begin()) return std::nullopt;
  const Live& candidate = std::prev(after)->second;
  if (address - candidate.address >= candidate.size_bytes) return std::nullopt;
  return candidate;
}

}  // namespace compass::capture
