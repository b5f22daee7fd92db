// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "driverless/gate/evidence.h"
#include "driverless/gate/finding.h"
#include "driverless/gate/rule.h"
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

/// What the gate says of a recording. The same recording gives the same report.
struct Report {
  std::vector<Finding> findings;   ///< errors first, then in the order of the records
  std::uint64_t checked = 0;       ///< launches
  std::uint64_t unchecked = 0;     ///< launches
  std::vector<Unchecked> reasons;  ///< by first launch
};

/// Watches a recording being played, or hears what was seen when it was made, and judges it by
/// every rule.
///
/// A launch in which an unknown value decides something is unchecked: nothing is said of what it
/// does, since that may not be what it did. Memory: one Fault per faulty instruction of the running
/// launch, and the findings.
class Gate : public Observer {
 public:
  /// `recording` must outlive this.
  explicit Gate(const Recording& recording);

  void on_dispatch(std::uint64_t record) override;
  void on_fault(const Fault& fault) override;
  void on_tainted_decision(const TaintedDecision& decision) override;
  void on_transfer_fault(const TransferFault& fault) override;
  void on_stopped(std::uint64_t record, const std::string& cause) override;

  /// The same of what was grouped before.
  void on_faults(const FaultGroup& group);
  void on_decisions(const DecisionGroup& group);

  /// The call that `record` is of failed, and is not played.
  void on_failed_call(const Record& record);

  /// The copy or fill that `record` is of has run, and nobody has looked at what it touched.
  void on_unseen_transfer(const Record& record);

  /// Ends the running launch. A launch that was never dispatched counts as unchecked.
  Report report();

 private:
  enum class Fate : std::uint8_t { kNotPlayed, kDispatched, kRefused };

  void end_launch();

  Context context_;
  std::vector<std::unique_ptr<Rule>> rules_;
  Findings findings_;
  std::vector<Fate> fates_;                       // of launches, by record, less 1
  std::map<std::uint64_t, std::string> stopped_;  // causes by record
  std::optional<LaunchEvidence> running_;
  EvidenceGroups groups_;                               // of running_
  std::optional<TaintedDecision> unknown_;              // the first that an unknown value made
  std::pair<std::uint64_t, AccessKind> faulty_side_{};  // of which record's transfer, told last
};

}  // namespace compass::gate
