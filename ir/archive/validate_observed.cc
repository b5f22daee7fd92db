// SPDX-License-Identifier: MIT
#include <tuple>

#include "ir/archive/validate_parts.h"

namespace compass::archive {
namespace {

Result<void> check_access(const Recording& recording, const AllocationAccess& access) {
  auto known = check_id(access.allocation, recording.allocations.size(), "allocation");
  if (!known) return known;
  const std::uint64_t size = recording.allocation(access.allocation).size_bytes;
  const bool is_empty = access.reads.empty() && access.writes.empty();
  if (!is_empty && are_canonical(access.reads, size) && are_canonical(access.writes, size)) {
    return {};
  }
  return corrupt(concat("has accesses to allocation ", access.allocation.value, " of ", size,
                        " bytes that are no set of its bytes"));
}

Result<void> check_summary(const Recording& recording, const AccessSummary& summary) {
  AllocationId before;
  for (const AllocationAccess& access : summary.allocations) {
    if (auto ok = check_access(recording, access); !ok) return ok;
    if (access.allocation <= before) return corrupt("does not have its allocations in order");
    before = access.allocation;
  }
  return {};
}

Result<void> check_accesses(const Recording& recording, Extent extent) {
  if (auto ok = check_numbering(recording.access_summaries, "access summary"); !ok) return ok;
  for (const AccessSummary& summary : recording.access_summaries) {
    auto ok = check_summary(recording, summary);
    if (!ok) return std::move(ok).error().with(concat("access summary ", summary.id.value));
  }
  LaunchAccesses before;
  for (const LaunchAccesses& launch : recording.launch_accesses) {
    const auto place = [&](Error error) {
      return std::move(error).with(concat("accesses of record ", launch.record));
    };
    auto known = check_id(launch.summary, recording.access_summaries.size(), "access summary");
    if (!known) return place(std::move(known).error());
    if (extent == Extent::kWhole && !names_launch(recording, launch.record, launch.node)) {
      return place(corrupt("are of no launch"));
    }
    if (std::tie(launch.record, launch.node) < std::tie(before.record, before.node)) {
      return place(corrupt("are not in order"));
    }
    before = launch;
  }
  return {};
}

Result<void> check_index(const Recording& recording, const LaunchIndex& index, Extent extent) {
  if (extent == Extent::kWhole && !names_launch(recording, index.record, index.node)) {
    return corrupt("are of no launch");
  }
  AllocationId before;
  for (const IndexContent& content : index.contents) {
    auto known = check_id(content.allocation, recording.allocations.size(), "allocation");
    if (!known) return known;
    const std::uint64_t size = recording.allocation(content.allocation).size_bytes;
    if (content.runs.empty() || !are_canonical(content.runs, size)) {
      return corrupt(concat("lie in allocation ", content.allocation.value, " of ", size,
                            " bytes in no set of its bytes"));
    }
    if (content.allocation <= before) return corrupt("do not have their allocations in order");
    if (!is_sha256(content.content)) return corrupt("are called by something other than a SHA-256");
    before = content.allocation;
  }
  return {};
}

Result<void> check_indices(const Recording& recording, Extent extent) {
  const LaunchIndex* before = nullptr;
  for (const LaunchIndex& index : recording.launch_indices) {
    auto ok = check_index(recording, index, extent);
    const bool is_behind = before == nullptr || std::tie(index.record, index.node) >=
                                                    std::tie(before->record, before->node);
    if (ok && !is_behind) ok = corrupt("are not in order");
    if (!ok) return std::move(ok).error().with(concat("index bytes of record ", index.record));
    before = &index;
  }
  return {};
}

/// Gaps that are no launches, or more of them than there are launches.
Result<void> check_coverage(const Recording& recording, Extent extent) {
  if (!recording.coverage) return {};
  const Coverage& coverage = *recording.coverage;
  if (coverage.gaps.size() > coverage.launches) {
    return corrupt(concat("the coverage lacks ", coverage.gaps.size(), " of ", coverage.launches,
                          " launches"));
  }
  const CoverageGap* before = nullptr;
  for (const CoverageGap& gap : coverage.gaps) {
    const bool is_launch =
        extent != Extent::kWhole || names_launch(recording, gap.record, gap.node);
    const bool is_behind = before == nullptr ||
                           std::tie(gap.record, gap.node) >= std::tie(before->record, before->node);
    if (!is_launch || !is_behind || gap.reason >= coverage.reasons.size()) {
      return corrupt(concat("the coverage of record ", gap.record,
                            !is_launch  ? " is of no launch"
                            : is_behind ? " has no reason"
                                        : " is not in order"));
    }
    before = &gap;
  }
  return {};
}

}  // namespace

Result<void> check_observed(const Recording& recording, Extent extent) {
  if (auto ok = check_accesses(recording, extent); !ok) return ok;
  if (auto ok = check_indices(recording, extent); !ok) return ok;
  return check_coverage(recording, extent);
}

}  // namespace compass::archive
