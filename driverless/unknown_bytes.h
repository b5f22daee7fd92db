// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>

#include "ir/ids.h"

namespace compass {

/// Why some bytes are unknown, in words; shared by all ranges that it explains.
using UnknownCause = std::shared_ptr<const std::string>;

/// Which bytes of which allocations may hold something that was not recorded, and why.
class UnknownBytes {
 public:
  void add(AllocationId allocation, std::uint64_t begin, std::uint64_t end,
           const UnknownCause& cause) {
    if (begin >= end) return;
    remove(allocation, begin, end);
    ranges_[allocation][begin] = {end, cause};
  }

  void remove(AllocationId allocation, std::uint64_t begin, std::uint64_t end) {
    const auto found = ranges_.find(allocation);
    if (found == ranges_.end()) return;
    Ranges& ranges = found->second;
    split(ranges, begin);
    split(ranges, end);
    ranges.erase(ranges.lower_bound(begin), ranges.lower_bound(end));
    if (ranges.empty()) ranges_.erase(found);
  }

  void remove(AllocationId allocation) { ranges_.erase(allocation); }

  /// The `size` bytes at `destination` become as unknown as those at `source` are.
  void copy(AllocationId destination, std::uint64_t destination_offset, AllocationId source,
            std::uint64_t source_offset, std::uint64_t size) {
    const Ranges parts = overlap(source, source_offset, source_offset + size);
    remove(destination, destination_offset, destination_offset + size);
    for (const auto& [begin, range] : parts) {
      add(destination, begin - source_offset + destination_offset,
          range.end - source_offset + destination_offset, range.cause);
    }
  }

  /// Why some byte of `allocation` is unknown, or null where all are known.
  UnknownCause find(AllocationId allocation) const {
    const auto found = ranges_.find(allocation);
    return found == ranges_.end() ? nullptr : found->second.begin()->second.cause;
  }

 private:
  struct Range {
    std::uint64_t end = 0;
    UnknownCause cause;
  };
  using Ranges = std::map<std::uint64_t, Range>;  // by begin; disjoint

  // Makes `at` a boundary between ranges.
  static void split(Ranges& ranges, std::uint64_t at) {
    auto next = ranges.lower_bound(at);
    if (next == ranges.begin()) return;
    Range& before = std::prev(next)->second;
    if (before.end <= at) return;
    ranges[at] = before;
    before.end = at;
  }

  Ranges overlap(AllocationId allocation, std::uint64_t begin, std::uint64_t end) const {
    Ranges parts;
    const auto found = ranges_.find(allocation);
    if (found == ranges_.end()) return parts;
    for (const auto& [start, range] : found->second) {
      const std::uint64_t first = std::max(start, begin);
      const std::uint64_t last = std::min(range.end, end);
      if (first < last) parts[first] = {last, range.cause};
    }
    return parts;
  }

  std::unordered_map<AllocationId, Ranges> ranges_;
};

}  // namespace compass
