// SPDX-License-Identifier: MIT
#include "driverless/gate/judge.h"

#include <algorithm>
#include <utility>
#include <variant>
#include <vector>

#include "ir/replays.h"

namespace compass::gate {
namespace {

constexpr const char* kDidNotRun = "it had not run to its end when the program ended";

/// Null where nothing was seen.
const Observed* find(const Evidence& evidence, std::uint64_t record, std::uint64_t node) {
  const auto found = evidence.observed.find({record, node});
  return found == evidence.observed.end() ? nullptr : &found->second;
}

void tell_of_launch(Gate& gate, std::uint64_t record, const Evidence& evidence,
                    const Observed* seen) {
  const bool ran = evidence.has_run(record);
  if (ran || seen != nullptr) gate.on_dispatch(record);
  if (seen != nullptr) {
    for (const FaultGroup& group : seen->faults) gate.on_faults(group);
    for (const DecisionGroup& group : seen->decisions) gate.on_decisions(group);
    if (seen->nonfinite.allocation) {
      gate.on_nonfinite(record, seen->nonfinite.allocation, seen->nonfinite.offset_bytes);
    }
    if (!seen->stop_cause.empty()) gate.on_stopped(record, seen->stop_cause);
  }
  if (!ran) gate.on_stopped(record, kDidNotRun);
}

/// What launches have read and written, in the order of the records and their nodes.
class Accesses {
 public:
  explicit Accesses(const Recording& recording) : recording_(recording) {}

  /// Of a node that runs several times in a graph's launch, those of its next run.
  void tell(Gate& gate, std::uint64_t record, std::uint64_t node) {
    const auto& all = recording_.launch_accesses;
    const std::pair key(record, node);
    if (key != key_) {
      const auto key_of = [](const LaunchAccesses& each) { return std::pair(each.record, each.node); };
      const auto first = std::lower_bound(
          all.begin(), all.end(), key,
          [&](const LaunchAccesses& each, const auto& wanted) { return key_of(each) < wanted; });
      next_ = static_cast<std::size_t>(first - all.begin());
      key_ = key;
    }
    if (next_ == all.size() || std::pair(all[next_].record, all[next_].node) != key) return;
    for (const AllocationAccess& each :
         recording_.access_summary(all[next_++].summary).allocations) {
      gate.on_touched(record, each.allocation, {extents_of(each.reads), extents_of(each.writes)});
    }
  }

 private:
  static std::vector<Extent> extents_of(const AccessRuns& runs) {
    std::vector<Extent> extents;
    for_each_range(runs, [&](std::uint64_t first, std::uint64_t size_bytes) {
      extents.push_back({first, first + size_bytes});
    });
    return extents;
  }

  const Recording& recording_;
  std::pair<std::uint64_t, std::uint64_t> key_{};
  std::size_t next_ = 0;
};

/// Whether a copy or fill touches a variable of code. To a runtime that is a part of its code
/// object like any other.
bool touches_variable(const Recording& recording, const Record& record) {
  const auto is_variable = [&](const MemoryRef& place) {
    return place.allocation &&
           recording.allocation(place.allocation).kind == AllocationKind::kGlobal;
  };
  if (const auto* fill = std::get_if<Fill>(&record.body)) return is_variable(fill->destination);
  const auto* copy = std::get_if<Copy>(&record.body);
  return copy != nullptr && (is_variable(copy->destination) || is_variable(copy->source));
}

/// `what` says what was done for `record`, which is the same, or launches it as a node.
void tell_of_transfer(Gate& gate, const Recording& recording, const Record& record,
                      const Record& what, const Observed* seen) {
  if (seen == nullptr) {
    if (touches_variable(recording, what)) gate.on_unseen_transfer(record, what);
    return;
  }
  for (const TransferFault& fault : seen->transfers) gate.on_transfer_fault(fault);
}

/// A graph has run when all of its nodes have.
void tell_of_graph(Gate& gate, const Record& record, const Evidence& evidence,
                   const std::vector<std::uint64_t>& nodes, Accesses& accesses) {
  const Recording& recording = gate.context().recording();
  for (const std::uint64_t sequence : nodes) {
    const Record& node = recording.records[sequence - 1];
    gate.on_node(record, node);
    const Observed* const seen = find(evidence, record.sequence, sequence);
    if (std::holds_alternative<LaunchKernel>(node.body)) {
      tell_of_launch(gate, record.sequence, evidence, seen);
      accesses.tell(gate, record.sequence, sequence);
    } else {
      tell_of_transfer(gate, recording, record, node, seen);
    }
  }
}

}  // namespace

void tell(Gate& gate, const Evidence& evidence) {
  const Recording& recording = gate.context().recording();
  Replays replays(recording);
  Accesses accesses(recording);
  for (const Record& record : recording.records) {
    gate.on_record(record);
    replays.take(record);
    if (record.status != 0) {
      gate.on_failed_call(record);
      continue;
    }
    if (record.captured) continue;
    const Observed* const seen = find(evidence, record.sequence, 0);
    if (std::holds_alternative<LaunchKernel>(record.body)) {
      tell_of_launch(gate, record.sequence, evidence, seen);
      accesses.tell(gate, record.sequence, 0);
    } else if (const auto* const graph = std::get_if<LaunchGraph>(&record.body)) {
      tell_of_graph(gate, record, evidence, replays.nodes_of(graph->executable), accesses);
    } else {
      tell_of_transfer(gate, recording, record, record, seen);
    }
  }
}

}  // namespace compass::gate
