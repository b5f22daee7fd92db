// SPDX-License-Identifier: MIT
#include "driverless/machine/freed_regions.h"

#include <iterator>

namespace compass {

void FreedRegions::add(const Region& region) {
  hide(region.base, region.end());
  insert(region.base, {region.end(), ++ended_, region});
  while (entries_.size() > most_) {
    const auto oldest = pieces_.find(entries_.front().begin);
    if (oldest != pieces_.end() && oldest->second.order == entries_.front().order) {
      pieces_.erase(oldest);
    }
    entries_.pop_front();
  }
}

const Region* FreedRegions::find(DeviceAddress address) const {
  const auto next = pieces_.upper_bound(address);
  if (next == pieces_.begin()) return nullptr;
  const Piece& piece = std::prev(next)->second;
  return address < piece.end ? &piece.region : nullptr;
}

void FreedRegions::insert(DeviceAddress begin, const Piece& piece) {
  pieces_.insert_or_assign(begin, piece);
  entries_.push_back({begin, piece.order});
}

void FreedRegions::hide(DeviceAddress begin, DeviceAddress end) {
  auto at = pieces_.upper_bound(begin);
  if (at != pieces_.begin() && std::prev(at)->second.end > begin) --at;
  while (at != pieces_.end() && at->first < end) {
    const Piece piece = at->second;
    if (at->first < begin) {
      at->second.end = begin;
      ++at;
    } else {
      at = pieces_.erase(at);
    }
    if (piece.end > end) return insert(end, piece);
  }
}

}  // namespace compass
