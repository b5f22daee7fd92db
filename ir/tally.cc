// SPDX-License-Identifier: MIT
#include "ir/tally.h"

#include <algorithm>
#include <utility>
#include <variant>

#include "ir/replays.h"

namespace compass {
namespace {

class Counter {
 public:
  explicit Counter(const Recording& recording)
      : recording_(recording),
        replays_(recording),
        tally_{std::vector<std::uint64_t>(recording.launches.size()),
               std::vector<Lifetime>(recording.allocations.size()),
               std::vector<StepTally>(recording.steps.size()),
               std::vector<KindTally>(record_kinds().size())} {}

  Tally count() && {
    for (const Record& record : recording_.records) {
      replays_.take(record);
      count_kind(record);
      count_step(record);
      std::visit([&](const auto& body) { count_body(record, body); }, record.body);
    }
    return std::move(tally_);
  }

 private:
  void count_kind(const Record& record) {
    KindTally& kind = tally_.kinds[record.body.index()];
    ++kind.records;
    if (record.status != 0) ++kind.failed;
  }
  void count_step(const Record& record) {
    if (!record.step) return;
    StepTally& step = tally_.steps[record.step.value - 1];
    if (step.first_record == 0) step.first_record = record.sequence;
    step.last_record = record.sequence;
  }

  /// `record`: that made it, of a graph's launch another than the one that says what it is.
  void count_launch(const Record& record, const LaunchKernel& launch) {
    ++tally_.launches[launch.launch.value - 1];
    if (record.step) ++tally_.steps[record.step.value - 1].launches;
  }
  void count_body(const Record& record, const LaunchKernel& launch) {
    if (!record.captured) count_launch(record, launch);
  }
  void count_body(const Record& record, const LaunchGraph& launch) {
    if (record.captured || record.status != 0) return;
    for (const std::uint64_t node : replays_.launches_of(launch.executable)) {
      count_launch(record, std::get<LaunchKernel>(recording_.records[node - 1].body));
    }
  }
  void count_body(const Record& record, const Allocate& allocate) {
    Lifetime& lifetime = tally_.lifetimes[allocate.allocation.value - 1];
    if (lifetime.allocated_by == 0) lifetime.allocated_by = record.sequence;
  }
  void count_body(const Record& record, const Free& free) {
    Lifetime& lifetime = tally_.lifetimes[free.allocation.value - 1];
    const bool took_effect = record.status == 0 && !record.captured;
    if (took_effect && lifetime.freed_by == 0) lifetime.freed_by = record.sequence;
  }
  void count_body(const Record& record, const AllocateBlock& allocate) {
    Lifetime& lifetime = tally_.lifetimes[allocate.allocation.value - 1];
    if (lifetime.allocated_by == 0) lifetime.allocated_by = record.sequence;
  }
  void count_body(const Record& record, const FreeBlock& free) {
    Lifetime& lifetime = tally_.lifetimes[free.allocation.value - 1];
    if (lifetime.freed_by == 0) lifetime.freed_by = record.sequence;
  }
  template <class Other>
  void count_body(const Record&, const Other&) {}

  const Recording& recording_;
  Replays replays_;
  Tally tally_;
};

/// What a record does to how much memory there is.
struct Change {
  std::uint64_t record = 0;
  bool is_free = false;
  std::uint64_t size_bytes = 0;
};

/// Whether it is memory of that kind, and no block inside some.
bool is_of(AllocationKind kind, const Allocation& allocation) {
  return allocation.kind == kind && !allocation.parent;
}

/// In their order.
std::vector<Change> changes_of(AllocationKind kind, const Recording& recording,
                               const Tally& tally) {
  std::vector<Change> changes;
  for (const Allocation& allocation : recording.allocations) {
    const Lifetime& lifetime = tally.lifetimes.at(allocation.id.value - 1);
    if (!is_of(kind, allocation) || lifetime.allocated_by == 0) continue;
    changes.push_back({lifetime.allocated_by, false, allocation.size_bytes});
    if (lifetime.freed_by != 0) changes.push_back({lifetime.freed_by, true, allocation.size_bytes});
  }
  std::stable_sort(changes.begin(), changes.end(),
                   [](const Change& a, const Change& b) { return a.record < b.record; });
  return changes;
}

}  // namespace

Tally tally_of(const Recording& recording) { return Counter(recording).count(); }

MemoryPeak peak_of(AllocationKind kind, const Recording& recording, const Tally& tally) {
  MemoryPeak peak;
  std::uint64_t live_bytes = 0;
  for (const Change& change : changes_of(kind, recording, tally)) {
    live_bytes += change.is_free ? 0 - change.size_bytes : change.size_bytes;
    if (change.is_free || live_bytes <= peak.size_bytes) continue;
    peak.size_bytes = live_bytes;
    peak.record = change.record;
  }
  for (const Allocation& allocation : recording.allocations) {
    const Lifetime& lifetime = tally.lifetimes[allocation.id.value - 1];
    const bool is_there = lifetime.allocated_by != 0 && lifetime.allocated_by <= peak.record &&
                          (lifetime.freed_by == 0 || lifetime.freed_by > peak.record);
    if (is_there && is_of(kind, allocation)) peak.allocations.push_back(allocation.id);
  }
  std::stable_sort(peak.allocations.begin(), peak.allocations.end(),
                   [&](AllocationId a, AllocationId b) {
                     return recording.allocation(a).size_bytes > recording.allocation(b).size_bytes;
                   });
  for (std::size_t i = 0; i < tally.steps.size(); ++i) {
    const StepTally& span = tally.steps[i];
    const bool holds = span.first_record <= peak.record && peak.record <= span.last_record;
    if (holds && span.first_record != 0) peak.step = recording.steps.at(i).id;
  }
  return peak;
}

}  // namespace compass
