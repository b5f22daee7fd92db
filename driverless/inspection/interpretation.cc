// SPDX-License-Identifier: MIT
#include "driverless/inspection/interpretation.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "driverless/backend.h"
#include "driverless/gate/gate.h"
#include "driverless/machine/access_runs.h"

namespace compass::inspection {
namespace {

using Allocations = std::vector<AllocationAccess>;
using LaunchName = std::pair<std::uint64_t, std::uint64_t>;  // record and node

LaunchName name_of(const gate::Context& context, std::uint64_t ordinal) {
  const Record& record = context.record_of_launch(ordinal);
  const Record& body = context.body_of_launch(ordinal);
  return {record.sequence, &body == &record ? 0 : body.sequence};
}

/// Takes down what launches access and what copies bring. The gate says what could be checked.
class Interpreter : public Observer, public PlayObserver {
 public:
  Interpreter(const Stage& stage, const std::function<void(const Record&)>& on_record)
      : recording_(stage.context.recording()),
        gate_(recording_, &stage.architecture),
        on_record_(on_record) {}

  void end() { gate_.end(); }
  const gate::Gate& gate() const { return gate_; }
  const Allocations* accesses_of(std::uint64_t ordinal) const {
    const auto found = accesses_.find(ordinal);
    return found == accesses_.end() ? nullptr : &found->second;
  }
  void take_results(Interpretation& out) const {
    out.results = results_;
    out.unknown_results = unknown_results_;
  }

  void on_record(const Record& record) override {
    node_ = 0;
    gate_.on_record(record);
    on_record_(record);
  }
  void on_node(const Record& record, const Record& node) override {
    node_ = node.sequence;
    gate_.on_node(record, node);
  }
  void on_failed(const Record& record) override { gate_.on_failed_call(record); }
  bool wants_results() const override { return true; }
  void on_result(const Record& record, const PlayedResult& result) override;

  void on_dispatch(std::uint64_t record) override {
    gate_.on_dispatch(record);
    running_ = &accesses_[gate_.running_launch()];
  }
  void on_fault(const Fault& fault) override { gate_.on_fault(fault); }
  void on_transfer_fault(const TransferFault& fault) override { gate_.on_transfer_fault(fault); }
  void on_tainted_decision(const TaintedDecision& decision) override {
    gate_.on_tainted_decision(decision);
  }
  void on_touched(std::uint64_t, AllocationId allocation, const TouchedExtents& touched) override {
    running_->push_back({allocation, runs_of(touched.reads), runs_of(touched.writes)});
  }
  void on_stopped(std::uint64_t record, const std::string& cause) override {
    gate_.on_stopped(record, cause);
  }

 private:
  const Recording& recording_;
  gate::Gate gate_;
  const std::function<void(const Record&)>& on_record_;
  std::uint64_t node_ = 0;
  std::unordered_map<std::uint64_t, Allocations> accesses_;  // by ordinal
  Allocations* running_ = nullptr;
  Comparison results_;
  std::uint64_t unknown_results_ = 0;
};

void Interpreter::on_result(const Record& record, const PlayedResult& result) {
  const std::size_t size = std::max(result.recorded.size(), result.played.size());
  bool is_unknown = false;
  for (std::size_t at = 0; at < size; ++at) {
    const bool is_there = at < result.recorded.size() && at < result.played.size();
    if (is_there && at < result.unknown.size() && result.unknown[at] != std::byte{0}) {
      is_unknown = true;
      continue;
    }
    if (is_there && result.recorded[at] == result.played[at]) continue;
    ++results_.different;
    if (results_.first) return;
    results_.first = Difference{record.sequence, node_, at, std::byte{0}, std::byte{0}};
    if (!is_there) return;
    results_.first->recorded = result.recorded[at];
    results_.first->played = result.played[at];
    return;
  }
  is_unknown ? ++unknown_results_ : ++results_.same;
}

/// Puts what was seen beside what was recorded.
class Merge {
 public:
  Merge(const Recording& recording, Interpretation& out) : recording_(recording), out_(out) {
    for (const LaunchAccesses& each : recording_.launch_accesses) {
      recorded_[{each.record, each.node}].push_back(each.summary);
    }
  }

  /// Of the launches in their order; null: it was not interpreted. Whether its accesses are known.
  bool add(const LaunchName& name, const Allocations* seen) {
    const auto known = recorded_.find(name);
    const std::size_t n = runs_[name]++;
    if (known != recorded_.end() && n < known->second.size()) {
      add_recorded(name, recording_.access_summary(known->second[n]).allocations, seen);
      return true;
    }
    if (seen == nullptr) return false;
    ++out_.added;
    take(name, sorted(*seen));
    return true;
  }

  void finish() {
    out_.access_summaries = summaries_.take();
    std::stable_sort(launches_.begin(), launches_.end(), [](const auto& a, const auto& b) {
      return std::tie(a.record, a.node) < std::tie(b.record, b.node);
    });
    out_.launch_accesses = std::move(launches_);
  }

 private:
  void add_recorded(const LaunchName& name, const Allocations& recorded, const Allocations* seen) {
    if (seen == nullptr) return take(name, recorded);
    Allocations now = sorted(*seen);
    if (without_variables(now) == without_variables(recorded)) {
      ++out_.accesses.same;
      return take(name, now.size() > recorded.size() ? std::move(now) : recorded);
    }
    if (out_.accesses.different++ == 0) out_.accesses.first = {name.first, name.second};
    take(name, recorded);
  }

  void take(const LaunchName& name, Allocations allocations) {
    launches_.push_back({name.first, name.second, summaries_.id_of(std::move(allocations))});
  }

  static Allocations sorted(Allocations allocations) {
    std::sort(allocations.begin(), allocations.end());
    return allocations;
  }

  Allocations without_variables(Allocations allocations) const {
    std::erase_if(allocations, [&](const AllocationAccess& each) {
      return recording_.allocation(each.allocation).kind == AllocationKind::kGlobal;
    });
    return allocations;
  }

  const Recording& recording_;
  Interpretation& out_;
  std::map<LaunchName, std::vector<AccessSummaryId>> recorded_;
  std::map<LaunchName, std::size_t> runs_;
  AccessSummaries summaries_;
  std::vector<LaunchAccesses> launches_;
};

void add_recorded(const Recording& recording, Coverage& coverage) {
  if (!recording.coverage || recording.coverage->architecture != coverage.architecture) return;
  std::vector<RanInstruction>& all = coverage.instructions;
  const auto& known = recording.coverage->instructions;
  all.insert(all.end(), known.begin(), known.end());
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
}

void count(CoverageCounter& counter, bool is_covered, const LaunchName& launch,
           const std::string& cause) {
  if (is_covered) return counter.add_interpreted();
  counter.add_gap(launch.first, launch.second, cause);
}

}  // namespace

Result<Interpretation> interpret(const Stage& stage,
                                 const std::function<void(const Record&)>& on_record) {
  Interpretation out;
  Interpreter interpreter(stage, on_record);
  DriverlessBackend backend(stage.architecture, stage.decoder, interpreter);
  const std::uint64_t records = stage.context.recording().records.size();
  if (auto ok = stage.playback.play(backend, interpreter, records); !ok) {
    return std::move(ok).error();
  }
  interpreter.end();
  out.coverage.architecture = stage.architecture.name;
  out.coverage.instructions = backend.instructions_run();
  interpreter.take_results(out);
  out.joined = out.coverage;
  add_recorded(stage.context.recording(), out.joined);
  Merge merge(stage.context.recording(), out);
  CoverageCounter now, joined;
  for (const auto& [ordinal, cause] : interpreter.gate().fates()) {
    const bool is_interpreted = cause.empty();
    const LaunchName name = name_of(stage.context, ordinal);
    const bool is_known =
        merge.add(name, is_interpreted ? interpreter.accesses_of(ordinal) : nullptr);
    count(now, is_interpreted, name, cause);
    count(joined, is_known, name, cause);
  }
  merge.finish();
  now.finish(out.coverage);
  joined.finish(out.joined);
  return out;
}

}  // namespace compass::inspection
