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
      return std::holds_alternative<LaunchGraph>(context.record(cause.record).body)
                 ? concat("a node of the graph launched by record ", cause.record, " is unchecked")
                 : concat("launch ", context.launch_ordinal(cause.record), " is unchecked");
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
    : context_(recording), rules_(all_rules()), fates_(context_.launches()) {}

void Gate::on_node(const Record& record, const Record& node) {
  end_launch();
  if (graph_ != &record) next_ordinal_ = context_.launch_ordinal(record.sequence);
  graph_ = &record;
  node_ = &node;
  if (std::holds_alternative<LaunchKernel>(node.body)) node_ordinal_ = next_ordinal_++;
}

/// Of the launch that the record makes, or, where it launches a graph, its node at hand.
std::uint64_t Gate::ordinal_of(std::uint64_t record) const {
  const bool is_graph = graph_ != nullptr && graph_->sequence == record;
  const std::uint64_t ordinal = is_graph ? node_ordinal_ : context_.launch_ordinal(record);
  CHECK(ordinal != 0);
  return ordinal;
}

void Gate::on_dispatch(std::uint64_t record) {
  end_launch();
  const std::uint64_t ordinal = ordinal_of(record);
  fates_.at(ordinal - 1) = Fate::kDispatched;
  const bool is_graph = graph_ != nullptr && graph_->sequence == record;
  running_.emplace(LaunchEvidence{
      context_, context_.record(record), is_graph ? node_ : nullptr, ordinal, {}, {}});
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
  TransferEvidence evidence{context_, context_.record(fault.record), fault};
  if (graph_ != nullptr && graph_->sequence == fault.record) evidence.fault.node = node_->sequence;
  // Of the rows of a copy or fill, the first that is wrong stands for all.
  const Side side{fault.record, evidence.fault.node, fault.access};
  if (std::exchange(faulty_side_, side) == side) return;
  for (const auto& rule : rules_) rule->on_transfer(evidence, findings_);
}

void Gate::on_failed_call(const Record& record) {
  end_launch();
  const std::uint64_t ordinal = context_.launch_ordinal(record.sequence);
  if (ordinal != 0) fates_.at(ordinal - 1) = Fate::kRefused;
  const std::vector<TransferFault> faults = faults_of_request(context_, record);
  for (const TransferFault& fault : faults) on_transfer_fault(fault);
  if (!faults.empty()) return;
  // What an earlier launch did is told by a later call. That launch is listed already.
  const bool is_of_a_launch =
      record.status == hip::kErrorLaunchFailure || record.status == hip::kErrorIllegalAddress;
  if (is_of_a_launch && (!stopped_.empty() || !findings_.empty())) return;
  for (const auto& rule : rules_) rule->on_failed_call({context_, record}, findings_);
}

void Gate::on_unseen_transfer(const Record& record, const Record& what) {
  for (TransferFault fault : faults_of_request(context_, what)) {
    fault.record = record.sequence;
    on_transfer_fault(fault);
  }
}

void Gate::on_stopped(std::uint64_t record, const std::string& cause) {
  stopped_.emplace(ordinal_of(record), cause);
}

void Gate::end_launch() {
  if (!running_) return;
  if (unknown_) {
    // Also where it stopped: a launch that goes astray may stop anywhere.
    stopped_[running_->ordinal] = describe_unknown(*running_, *unknown_);
  } else {
    running_->faults = groups_.faults();
    running_->undefined = groups_.decisions();
    for (const auto& rule : rules_) rule->on_launch(*running_, findings_);
  }
  running_.reset();
  groups_.clear();
  unknown_.reset();
}

/// Empty where it is checked.
std::string Gate::unchecked_cause(std::uint64_t ordinal) const {
  const auto stopped = stopped_.find(ordinal);
  if (stopped != stopped_.end()) return stopped->second;
  return fates_[ordinal - 1] == Fate::kDispatched ? std::string() : "it was not played";
}

std::vector<std::string> Gate::unchecked_causes() {
  end_launch();
  std::vector<std::string> causes;
  for (std::uint64_t ordinal = 1; ordinal <= context_.launches(); ++ordinal) {
    if (fates_[ordinal - 1] != Fate::kRefused) causes.push_back(unchecked_cause(ordinal));
  }
  return causes;
}

Report Gate::report() {
  end_launch();
  Report report;
  report.findings = findings_.sorted();
  std::unordered_map<std::string, std::size_t> index;
  for (std::uint64_t ordinal = 1; ordinal <= context_.launches(); ++ordinal) {
    if (fates_[ordinal - 1] == Fate::kRefused) continue;
    const std::string reason = unchecked_cause(ordinal);
    if (reason.empty()) {
      ++report.checked;
      continue;
    }
    ++report.unchecked;
    const auto [known, is_new] = index.try_emplace(reason, report.reasons.size());
    const std::uint64_t record = context_.record_of_launch(ordinal).sequence;
    if (is_new) report.reasons.push_back({reason, ordinal, record, 0});
    ++report.reasons[known->second].launches;
  }
  for (const auto& rule : rules_) {
    report.rules[std::string(rule->name())] = {report.checked, report.unchecked, {}};
  }
  return report;
}

}  // namespace compass::gate
