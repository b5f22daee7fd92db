// SPDX-License-Identifier: MIT
#include "driverless/machine/uniform_extents.h"

#include <algorithm>
#include <iterator>

namespace compass {

void UniformExtents::set(const Extent& extent) {
  if (extent.begin == extent.end) return;
  erase(extent.begin, extent.end);
  Extent joined = extent;
  auto next = extents_.lower_bound(extent.begin);
  if (next != extents_.end() && next->first == joined.end && next->second.word == joined.word) {
    joined.end = next->second.end;
    next = remove(next);
  }
  if (next != extents_.begin()) {
    const auto previous = std::prev(next);
    if (previous->second.end == joined.begin && previous->second.word == joined.word) {
      joined.begin = previous->first;
      remove(previous);
    }
  }
  insert(joined);
}

void UniformExtents::erase(std::uint64_t begin, std::uint64_t end) {
  auto at = extents_.lower_bound(begin);
  if (at != extents_.begin() && std::prev(at)->second.end > begin) --at;
  while (at != extents_.end() && at->first < end) {
    const Extent old{at->first, at->second.end, at->second.word};
    at = remove(at);
    if (old.begin < begin) insert({old.begin, begin, old.word});
    if (old.end > end) return insert({end, old.end, old.word});
  }
}

std::optional<UniformExtents::Extent> UniformExtents::find(std::uint64_t address) const {
  const auto next = extents_.upper_bound(address);
  if (next == extents_.begin()) return std::nullopt;
  const auto& [begin, rest] = *std::prev(next);
  if (address >= rest.end) return std::nullopt;
  return Extent{begin, rest.end, rest.word};
}

std::uint64_t UniformExtents::pattern_bytes_in(std::uint64_t begin, std::uint64_t end) const {
  if (pattern_bytes_ == 0) return 0;
  auto at = extents_.lower_bound(begin);
  if (at != extents_.begin() && std::prev(at)->second.end > begin) --at;
  std::uint64_t bytes = 0;
  for (; at != extents_.end() && at->first < end; ++at) {
    if (at->second.word == 0) continue;
    bytes += std::min(at->second.end, end) - std::max(at->first, begin);
  }
  return bytes;
}

void UniformExtents::insert(const Extent& extent) {
  extents_.insert_or_assign(extent.begin, Rest{extent.end, extent.word});
  if (extent.word != 0) pattern_bytes_ += extent.end - extent.begin;
}

UniformExtents::Map::iterator UniformExtents::remove(Map::iterator at) {
  if (at->second.word != 0) pattern_bytes_ -= at->second.end - at->first;
  return extents_.erase(at);
}

}  // namespace compass
