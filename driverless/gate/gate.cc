// SPDX-License-Identifier: MIT
#include "driverless/gate/gate.h"

#include <unordered_map>
#include <utility>
#include <variant>

#include "ir/hip/abi.h"

namespace compass::gate {
namespace {

std::string describe(const UnknownCause& cause, const Context& context) {
  switch (cause.kind) {
    case UnknownCause::Kind::kNotSaid:
      break;
    case UnknownCause::Kind::kContentNotKept:
      return concat("the content of the ", kind_of(context.record(cause.record)), " in record ",
                    cause.record,
                    context.record(cause.record).status == 0 ? " was not kept"
                                                             : ", which failed, is not known");
    case UnknownCause::Kind::kLeavesSource:
      return concat("the copy in record ", cause.record, " leaves its source");
    case UnknownCause::Kind::kPinnedHost:
      return "the host writes pinned memory unseen";
    case UnknownCause::Kind::kUncheckedLaunch:
      return concat("launch ", context.launch_ordinal(cause.record), " is unchecked");
  }
  return "it was computed from unknown values";
}

/// Why a launch is unchecked in which an unknown value decided something.
std::string describe_unknown(const LaunchEvidence& evidence, const TaintedDecision& decision) {
  const Place place = place_of(evidence, decision);
  std::string text = concat(short_kernel_name(evidence.kernel().canonical),
                            ": an unknown value decides ", noun_of(decision.decision), " at ",
                            describe_pc(place.pc), " (", place.instruction, ")");
  if (place.origin_pc) {
    text += concat(", loaded at ", describe_pc(*place.origin_pc), " from ", place.buffer, " + ",
                   place.offset_bytes);
  }
  if (place.written_by != 0) text += concat(", last written by record ", place.written_by);
  return concat(text, ": ", describe(decision.cause, evidence.context));
}

}  // namespace

std::vector<std::unique_ptr<Rule>> all_rules() {
  std::vector<std::unique_ptr<Rule>> rules;
  rules.push_back(make_out_of_bounds());
  rules.push_back(make_use_after_free());
  rules.push_back(make_misaligned_access());
  rules.push_back(make_uninit_read());
  rules.push_back(make_failed_call());
  return rules;
}

Gate::Gate(const Recording& recording)
    : context_(recording), rules_(all_rules()), fates_(recording.records.size()) {}

void Gate::on_dispatch(std::uint64_t record) {
  CHECK(context_.launch_ordinal(record) != 0);
  end_launch();
  fates_.at(record - 1) = Fate::kDispatched;
  running_.emplace(
      LaunchEvidence{context_, context_.record(record), context_.launch_ordinal(record), {}, {}});
}

void Gate::on_fault(const Fault& fault) { on_faults({fault, 1}); }

void Gate::on_faults(const FaultGroup& group) {
  CHECK(running_.has_value());
  groups_.add(group.first, group.accesses);
}

void Gate::on_tainted_decision(const TaintedDecision& decision) {
  on_decisions({decision, decision.lanes});
}

void Gate::on_decisions(const DecisionGroup& group) {
  CHECK(running_.has_value());
  if (group.first.undefined) {
    groups_.add(group.first, group.lanes);
  } else if (!unknown_) {
    unknown_ = group.first;
  }
}

void Gate::on_transfer_fault(const TransferFault& fault) {
  end_launch();
  // Of the rows of a copy or fill, the first that is wrong stands for all.
  const std::pair<std::uint64_t, AccessKind> side{fault.record, fault.access};
  if (std::exchange(faulty_side_, side) == side) return;
  const TransferEvidence evidence{context_, context_.record(fault.record), fault};
  for (const auto& rule : rules_) rule->on_transfer(evidence, findings_);
}

void Gate::on_failed_call(const Record& record) {
  end_launch();
  fates_.at(record.sequence - 1) = Fate::kRefused;
  const std::vector<TransferFault> faults = faults_of_request(context_, record);
  for (const TransferFault& fault : faults) on_transfer_fault(fault);
  if (!faults.empty()) return;
  // What an earlier launch did is told by a later call. That launch is listed already.
  const bool is_of_a_launch =
      record.status == hip::kErrorLaunchFailure || record.status == hip::kErrorIllegalAddress;
  if (is_of_a_launch && (!stopped_.empty() || !findings_.empty())) return;
  for (const auto& rule : rules_) rule->on_failed_call({context_, record}, findings_);
}

void Gate::on_unseen_transfer(const Record& record) {
  for (const TransferFault& fault : faults_of_request(context_, record)) on_transfer_fault(fault);
}

void Gate::on_stopped(std::uint64_t record, const std::string& cause) {
  stopped_.emplace(record, cause);
}

void Gate::end_launch() {
  if (!running_) return;
  if (unknown_) {
    // Also where it stopped: a launch that goes astray may stop anywhere.
    stopped_[running_->record.sequence] = describe_unknown(*running_, *unknown_);
  } else {
    running_->faults = groups_.faults();
    running_->undefined = groups_.decisions();
    for (const auto& rule : rules_) rule->on_launch(*running_, findings_);
  }
  running_.reset();
  groups_.clear();
  unknown_.reset();
}

Report Gate::report() {
  end_launch();
  Report report;
  report.findings = findings_.sorted();
  std::unordered_map<std::string, std::size_t> index;
  for (const Record& record : context_.recording().records) {
    const std::uint64_t ordinal = context_.launch_ordinal(record.sequence);
    const Fate fate = fates_[record.sequence - 1];
    if (ordinal == 0 || fate == Fate::kRefused) continue;
    const auto stopped = stopped_.find(record.sequence);
    if (stopped == stopped_.end() && fate == Fate::kDispatched) {
      ++report.checked;
      continue;
    }
    ++report.unchecked;
    const std::string reason = stopped == stopped_.end() ? "it was not played" : stopped->second;
    const auto [known, is_new] = index.try_emplace(reason, report.reasons.size());
    if (is_new) report.reasons.push_back({reason, ordinal, record.sequence, 0});
    ++report.reasons[known->second].launches;
  }
  return report;
}

}  // namespace compass::gate
