// SPDX-License-Identifier: MIT
#include "ir/access.h"

#include <utility>

#include "ir/base/check.h"

namespace compass {

void AccessRunBuilder::add(std::uint64_t begin, std::uint64_t end) {
  DCHECK(begin < end && begin >= end_);
  if (begin != end_ || begin_ == end_) {
    close_range();
    begin_ = begin;
  }
  end_ = end;
}

void AccessRunBuilder::close_range() {
  if (begin_ == end_) return;
  const std::uint64_t size_bytes = end_ - begin_;
  AccessRun* const last = runs_.empty() ? nullptr : &runs_.back();
  if (last == nullptr || last->size_bytes != size_bytes) {
    runs_.push_back({begin_, size_bytes, 0, 1});
    return;
  }
  const std::uint64_t distance = begin_ - (last->end() - last->size_bytes);
  if (last->count > 1 && last->stride_bytes != distance) {
    runs_.push_back({begin_, size_bytes, 0, 1});
    return;
  }
  last->stride_bytes = distance;
  ++last->count;
}

AccessRuns AccessRunBuilder::finish() {
  close_range();
  begin_ = end_ = 0;
  return std::exchange(runs_, {});
}

bool are_canonical(const AccessRuns& runs, std::uint64_t size_bytes) {
  AccessRunBuilder builder;
  std::uint64_t end = 0;
  for (const AccessRun& run : runs) {
    if (run.size_bytes == 0 || run.count == 0 || run.first < end) return false;
    if (run.count == 1 ? run.stride_bytes != 0 : run.stride_bytes <= run.size_bytes) return false;
    if (run.size_bytes > size_bytes || run.first > size_bytes - run.size_bytes) return false;
    const std::uint64_t room = size_bytes - run.size_bytes - run.first;
    if (run.count > 1 && run.stride_bytes > room / (run.count - 1)) return false;
    end = run.end();
  }
  // Two of each run show how the next would continue it.
  for (std::size_t i = 1; i < runs.size(); ++i) {
    const AccessRun& last = runs[i - 1];
    const AccessRun& next = runs[i];
    if (next.first == last.end()) return false;
    if (next.size_bytes != last.size_bytes) continue;
    const std::uint64_t distance = next.first - (last.end() - last.size_bytes);
    if (last.count == 1 || last.stride_bytes == distance) return false;
  }
  return true;
}

std::uint64_t total_bytes(const AccessRuns& runs) {
  std::uint64_t total = 0;
  for (const AccessRun& run : runs) total += run.size_bytes * run.count;
  return total;
}

AccessSummaryId AccessSummaries::id_of(std::vector<AllocationAccess> allocations) {
  const AccessSummaryId next{static_cast<std::uint32_t>(ids_.size() + 1)};
  return ids_.emplace(std::move(allocations), next).first->second;
}

std::vector<AccessSummary> AccessSummaries::take() {
  std::vector<AccessSummary> summaries(ids_.size());
  while (!ids_.empty()) {
    auto node = ids_.extract(ids_.begin());
    summaries[node.mapped().value - 1] = {node.mapped(), std::move(node.key())};
  }
  return summaries;
}

}  // namespace compass
