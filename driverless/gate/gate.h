// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "driverless/gate/evidence.h"
#include "driverless/gate/finding.h"
#include "driverless/gate/rule.h"
#include "driverless/machine/observer.h"
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

/// Watches a recording being played, and judges it by every rule.
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

  /// The call that `record` is of failed, and is not played.
  void on_failed_call(const Record& record);

  /// Ends the running launch. A launch that was never dispatched counts as unchecked.
  Report report();

 private:
  using FaultKey = std::tuple<FaultKind, AccessKind, AddressSpace, std::uint64_t, AllocationId>;
  using DecisionKey =
      std::tuple<Decision, std::uint64_t, AddressSpace, std::uint64_t, AllocationId>;

  void end_launch();

  Context context_;
  std::vector<std::unique_ptr<Rule>> rules_;
  Findings findings_;
  std::set<std::uint64_t> dispatched_;            // records
  std::set<std::uint64_t> refused_;               // records of launches that failed
  std::map<std::uint64_t, std::string> stopped_;  // causes by record
  std::optional<LaunchEvidence> running_;
  std::map<FaultKey, std::size_t> groups_;        // indices into running_->faults
  std::map<DecisionKey, std::size_t> decisions_;  // indices into running_->undefined
  std::optional<TaintedDecision> unknown_;        // the first that an unknown value made
};

}  // namespace compass::gate
