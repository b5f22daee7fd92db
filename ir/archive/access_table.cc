// SPDX-License-Identifier: MIT
#include "ir/archive/access_table.h"

#include <algorithm>
#include <set>
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
  const AccessSummaryId id = summaries_.id_of(std::move(allocations));
  by_entry_[entry] = id;
  add(accesses.doer, id);
}

void AccessTable::add(const journal::SameAccesses& same) {
  const auto known = by_entry_.find(same.entry);
  if (known != by_entry_.end()) add(same.doer, known->second);
}

bool AccessTable::find_launch(const journal::Doer& doer, std::uint64_t& record,
                              std::uint64_t& node) const {
  record = evidence_.record_of(doer.entry);
  node = evidence_.record_of(doer.node);
  return (node == 0) == (doer.node == 0) && names_launch(recording_, record, node);
}

void AccessTable::add(const journal::Doer& doer, AccessSummaryId summary) {
  LaunchAccesses launch{0, 0, summary};
  if (find_launch(doer, launch.record, launch.node)) launches_.push_back(launch);
}

void AccessTable::add(const journal::Index& index,
                      const std::function<std::string(ByteView)>& keep) {
  LaunchIndex launch{0, 0, index.complete, {}};
  if (!find_launch(index.doer, launch.record, launch.node)) return;
  std::set<AllocationId> seen;
  for (const journal::LoadedContent& loaded : index.allocations) {
    const AllocationId id = evidence_.allocation_of(loaded.allocation);
    const bool is_some = id && !loaded.runs.empty() && seen.insert(id).second &&
                         are_canonical(loaded.runs, recording_.allocation(id).size_bytes) &&
                         total_bytes(loaded.runs) == loaded.content.size();
    const std::string content = is_some ? keep(loaded.content) : std::string();
    if (content.empty()) {
      launch.complete = false;
    } else {
      launch.contents.push_back({id, loaded.runs, content});
    }
  }
  std::sort(
      launch.contents.begin(), launch.contents.end(),
      [](const IndexContent& a, const IndexContent& b) { return a.allocation < b.allocation; });
  indices_.push_back(std::move(launch));
}

void AccessTable::finish() {
  recording_.access_summaries = summaries_.take();
  const auto is_before = [](const auto& a, const auto& b) {
    return std::tie(a.record, a.node) < std::tie(b.record, b.node);
  };
  std::stable_sort(launches_.begin(), launches_.end(), is_before);
  std::stable_sort(indices_.begin(), indices_.end(), is_before);
  recording_.launch_accesses = std::move(launches_);
  recording_.launch_indices = std::move(indices_);
}

}  // namespace compass::archive
