// SPDX-License-Identifier: MIT
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <vector>

#include "ir/base/id.h"
#include "ir/ids.h"

namespace compass {

using AccessSummaryId = Id<struct AccessSummaryTag>;

/// `count` ranges of `size_bytes` of an allocation, the first at `first`, each `stride_bytes`
/// behind the one before.
struct AccessRun {
  std::uint64_t first = 0;
  std::uint64_t size_bytes = 0;
  std::uint64_t stride_bytes = 0;  ///< more than size_bytes; 0 where there is one range
  std::uint64_t count = 1;

  std::uint64_t end() const { return first + stride_bytes * (count - 1) + size_bytes; }
  friend auto operator<=>(const AccessRun&, const AccessRun&) = default;
};

/// A set of bytes of an allocation. Equal sets have equal runs: from the lowest byte on, each run
/// takes as many of the set's longest ranges as are alike in size and distance.
using AccessRuns = std::vector<AccessRun>;

/// Makes runs of ranges that come in order and do not overlap.
class AccessRunBuilder {
 public:
  /// [begin, end), not empty, at or behind the end of the last one.
  void add(std::uint64_t begin, std::uint64_t end);
  /// Leaves the builder empty.
  AccessRuns finish();

 private:
  void close_range();

  AccessRuns runs_;
  std::uint64_t begin_ = 0, end_ = 0;  // the last range, which the next may continue; empty: none
};

/// Whether these are the runs of some set of bytes below `size_bytes`.
bool are_canonical(const AccessRuns& runs, std::uint64_t size_bytes);
/// How many bytes canonical runs have.
std::uint64_t total_bytes(const AccessRuns& runs);

/// Calls `visit(first, size_bytes)` for each range, in order.
template <class Visit>
void for_each_range(const AccessRuns& runs, Visit visit) {
  for (const AccessRun& run : runs) {
    for (std::uint64_t n = 0; n < run.count; ++n) {
      visit(run.first + n * run.stride_bytes, run.size_bytes);
    }
  }
}

/// What a launch has read and written of one allocation. What an atomic touches is in both.
struct AllocationAccess {
  AllocationId allocation;
  AccessRuns reads, writes;
  friend auto operator<=>(const AllocationAccess&, const AllocationAccess&) = default;
};

/// What a launch has read and written, as it was observed, to the byte: what lanes that were off or
/// that faulted did not access is not in it. LDS, scratch, arguments and code are not memory here.
/// Launches with equal summaries share one.
struct AccessSummary {
  AccessSummaryId id;
  std::vector<AllocationAccess> allocations;  ///< by their ids; each was accessed
};

/// Numbers summaries, equal ones once, in the order in which they first come.
class AccessSummaries {
 public:
  AccessSummaryId id_of(std::vector<AllocationAccess> allocations);
  /// Leaves none.
  std::vector<AccessSummary> take();

 private:
  std::map<std::vector<AllocationAccess>, AccessSummaryId> ids_;
};

/// Which summary a launch has: that of `record`, or where `record` launches a graph, of its `node`.
/// A node that runs several times in one launch of the graph has as many, in their order.
struct LaunchAccesses {
  std::uint64_t record = 0;
  std::uint64_t node = 0;  ///< the record that says what the node does; 0: no graph
  AccessSummaryId summary;
};

}  // namespace compass
