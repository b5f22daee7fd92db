// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "ir/archive/evidence_table.h"
#include "ir/journal/evidence.h"
#include "ir/recording.h"

namespace compass::archive {

/// Collects what a runtime saw launches read and write: equal summaries once. What names no launch,
/// no allocation or bytes outside of it is left out.
class AccessTable {
 public:
  /// Both must outlive this.
  AccessTable(Recording& recording, const EvidenceTable& evidence)
      : recording_(recording), evidence_(evidence) {}

  /// `entry`: the number of `accesses`.
  void add(const journal::Accesses& accesses, std::uint64_t entry);
  void add(const journal::SameAccesses& same);

  /// `keep` gives the name under which it keeps bytes; empty: they are not kept.
  void add(const journal::Index& index, const std::function<std::string(ByteView)>& keep);

  /// Moves all into the recording.
  void finish();

 private:
  using Allocations = std::vector<AllocationAccess>;

  bool resolve(const journal::AllocationAccesses& accesses, Allocations& out) const;
  void add(const journal::Doer& doer, AccessSummaryId summary);
  /// Whether the doer is a launch; then sets what it is called.
  bool find_launch(const journal::Doer& doer, std::uint64_t& record, std::uint64_t& node) const;

  Recording& recording_;
  const EvidenceTable& evidence_;
  AccessSummaries summaries_;
  std::unordered_map<std::uint64_t, AccessSummaryId> by_entry_;
  std::vector<LaunchAccesses> launches_;
  std::vector<LaunchIndex> indices_;
};

}  // namespace compass::archive
