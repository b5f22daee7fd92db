// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <unordered_set>
#include <utility>
#include <vector>

#include "driverless/gate/doubts.h"
#include "driverless/gate/evidence.h"
#include "driverless/gate/finding.h"
#include "driverless/gate/launch_cursor.h"
#include "driverless/gate/rule.h"
#include "driverless/machine/memory.h"
#include "driverless/machine/observer.h"
#include "ir/evidence_groups.h"
#include "ir/recording.h"

namespace compass::gate {

/// Launches that were not checked, for one reason.
struct Unchecked {
  std::string reason;
  std::uint64_t first_launch = 0;  ///< ordinal, from 1
  std::uint64_t first_record = 0;
  std::uint64_t launches = 0;
};

/// How far a rule could be checked, in launches.
struct RuleTally {
  std::uint64_t checked = 0;
  std::uint64_t unchecked = 0;     ///< with those that no rule could check
  std::vector<Unchecked> reasons;  ///< of those that other rules could check
};

/// What the gate says of a recording. The same recording gives the same report.
struct Report {
  std::vector<Finding> findings;           ///< errors first, then in the order of the records
  std::uint64_t checked = 0;               ///< launches
  std::uint64_t unchecked = 0;             ///< launches
  std::vector<Unchecked> reasons;          ///< by first launch
  std::map<std::string, RuleTally> rules;  ///< every rule, by its name
};

/// What became of a launch.
struct LaunchFate {
  std::uint64_t ordinal = 0;
  std::string cause;  ///< empty: it is checked
};

/// Watches a recording being played, or hears what was seen when it was made, and judges it by
/// every rule.
///
/// A launch in which an unknown value decides something is unchecked: nothing is said of what it
/// does, since that may not be what it did. Memory: one Fault per faulty instruction of the running
/// launch, and the findings.
class Gate : public Observer {
 public:
  /// `architecture`: on which the launches ran; null: it is not known. Both must outlive this.
  explicit Gate(const Recording& recording, const arch::Architecture* architecture = nullptr);

  /// The memory of the backend that plays: it must outlive this. Without it, what pointers in
  /// memory may lead to is a doubt.
  void set_memory(const Memory& memory) { memory_ = &memory; }

  const Context& context() const { return context_; }

  /// The record takes effect next.
  void on_record(const Record& record);

  /// The record launches a graph, and what comes next is what its node `node` does. Comes for every
  /// launch of the graph, in order, and before what is said of another node.
  void on_node(const Record& record, const Record& node);

  void on_dispatch(std::uint64_t record) override;
  void on_fault(const Fault& fault) override;
  void on_tainted_decision(const TaintedDecision& decision) override;
  void on_transfer_fault(const TransferFault& fault) override;
  void on_stopped(std::uint64_t record, const std::string& cause) override;
  void on_touched(std::uint64_t record, AllocationId allocation,
                  const TouchedExtents& touched) override;
  void on_nonfinite(std::uint64_t record, AllocationId allocation,
                    std::uint64_t offset_bytes) override;

  /// The same of what was grouped before.
  void on_faults(const FaultGroup& group);
  void on_decisions(const DecisionGroup& group);

  /// The call that `record` is of failed, and is not played.
  void on_failed_call(const Record& record);

  /// The copy or fill that `what` is of has run for `record`, which is the same or launches it as a
  /// node, and nobody has looked at what it touched.
  void on_unseen_transfer(const Record& record, const Record& what);

  /// The playback has ended, and its memory goes.
  void end();

  /// What further playbacks should look into.
  const Doubts& doubts() const { return doubts_; }

  /// Ends the playback. A launch that was never dispatched counts as unchecked. To be called
  /// once.
  Report report(const Answers& answers = {});

  /// The ordinal of the launch that was dispatched last and has not ended; there is one.
  std::uint64_t running_launch() const { return running_->ordinal; }

  /// The launches that the runtime had not refused, with why each is unchecked; in order. To be
  /// called after end().
  std::vector<LaunchFate> fates() const;

 private:
  enum class Fate : std::uint8_t { kNotPlayed, kDispatched, kRefused };

  /// Record, node and side of a transfer.
  using Side = std::tuple<std::uint64_t, std::uint64_t, AccessKind>;

  void end_launch();
  std::uint64_t ordinal_of(std::uint64_t record) const;
  std::string unchecked_cause(std::uint64_t ordinal) const;
  void judge_requests();
  bool doubt_faults();
  void judge(LaunchEvidence& evidence);
  void add_siblings(Finding& finding) const;

  Context context_;
  std::vector<std::unique_ptr<Rule>> rules_;
  Findings findings_;
  std::vector<Fate> fates_;                       // of launches, by ordinal, less 1
  std::map<std::uint64_t, std::string> stopped_;  // causes by ordinal
  LaunchCursor cursor_;
  const Memory* memory_ = nullptr;
  std::optional<LaunchEvidence> running_;
  EvidenceGroups groups_;                   // of running_
  std::optional<TaintedDecision> unknown_;  // the first that an unknown value made
  Side faulty_side_{};                      // of which transfer, told last
  Doubts doubts_;
  std::vector<LaunchEvidence> doubtful_;      // of doubts_, in order
  std::unordered_set<AllocationId> written_;  // by anybody; those that the runtime made
  // Which kernels have touched which allocations of a declared role.
  std::set<std::pair<KernelId, AllocationId>> touched_roles_;
};

}  // namespace compass::gate
