// SPDX-License-Identifier: MIT
#include "ir/archive/access_table.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "ir/archive/validate.h"

namespace compass::archive {

bool AccessTable::resolve(const journal::AllocationAccesses& accesses, Allocations& out) const {
  const AllocationId id = evidence_.allocation_of(accesses.allocation);
  if (!id || (accesses.reads.empty() && accesses.writes.empty())) return false;
  const std::uint64_t size_bytes = recording_.allocation(id).size_bytes;
  if (!are_canonical(accesses.reads, size_bytes) || !are_canonical(accesses.writes, size_bytes)) {
    return false;
  }
  out.push_back({id, accesses.reads, accesses.writes});
  return true;
}

void AccessTable::add(const journal::Accesses& accesses, std::uint64_t entry) {
  Allocations allocations;
  for (const journal::AllocationAccesses& one : accesses.allocations) {
    if (!resolve(one, allocations)) return;
  }
  std::sort(allocations.begin(), allocations.end());
  const auto same = [](const AllocationAccess& a, const AllocationAccess& b) {
    return a.allocation == b.allocation;
  };
  if (std::adjacent_find(allocations.begin(), allocations.end(), same) != allocations.end()) return;
  const AccessSummaryId next{static_cast<std::uint32_t>(summaries_.size() + 1)};
  const AccessSummaryId id = summaries_.emplace(std::move(allocations), next).first->second;
  by_entry_[entry] = id;
  add(accesses.doer, id);
}

void AccessTable::add(const journal::SameAccesses& same) {
  const auto known = by_entry_.find(same.entry);
  if (known != by_entry_.end()) add(same.doer, known->second);
}

void AccessTable::add(const journal::Doer& doer, AccessSummaryId summary) {
  const LaunchAccesses launch{evidence_.record_of(doer.entry), evidence_.record_of(doer.node),
                              summary};
  if ((launch.node == 0) == (doer.node == 0) && names_launch(recording_, launch)) {
    launches_.push_back(launch);
  }
}

void AccessTable::finish() {
  recording_.access_summaries.resize(summaries_.size());
  while (!summaries_.empty()) {
    auto node = summaries_.extract(summaries_.begin());
    recording_.access_summaries[node.mapped().value - 1] = {node.mapped(), std::move(node.key())};
  }
  std::stable_sort(launches_.begin(), launches_.end(),
                   [](const LaunchAccesses& a, const LaunchAccesses& b) {
                     return std::tie(a.record, a.node) < std::tie(b.record, b.node);
                   });
  recording_.launch_accesses = std::move(launches_);
}

}  // namespace compass::archive
