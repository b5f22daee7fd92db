// SPDX-License-Identifier: MIT
#include "driverless/gate/gate.h"

#include <algorithm>
#include <unordered_map>
#include <utility>
#include <variant>

#include "driverless/gate/place.h"
#include "driverless/gate/reach.h"
#include "driverless/gate/request_faults.h"
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
  rules.push_back(make_pointer_provenance());
  rules.push_back(make_nan_origin());
  rules.push_back(make_arch_match());
  rules.push_back(make_resource_limits());
  rules.push_back(make_launch_ran());
  rules.push_back(make_failed_call());
  return rules;
}

Gate::Gate(const Recording& recording, const arch::Architecture* architecture)
    : context_(recording, architecture),
      rules_(all_rules()),
      fates_(context_.launches()),
      cursor_(context_) {}

void Gate::on_record(const Record& record) {
  end_launch();  // while memory is as it left it
  const Recording& recording = context_.recording();
  const auto note_written = [&](const MemoryRef& place) {
    if (place.allocation) written_.insert(recording.in_root(place).allocation);
  };
  if (record.status != 0 || record.captured) return;
  if (const auto* copy = std::get_if<Copy>(&record.body)) note_written(copy->destination);
  if (const auto* fill = std::get_if<Fill>(&record.body)) note_written(fill->destination);
  const auto* const report = std::get_if<ReportOutput>(&record.body);
  if (report == nullptr || !report->memory.allocation) return;
  const AllocationId root = recording.in_root(report->memory).allocation;
  const bool is_device = is_device_memory(recording.allocation(root).kind);
  if (!is_device || written_.contains(root)) return;
  for (const auto& rule : rules_) rule->on_poison_report({context_, record, *report}, findings_);
}

void Gate::on_node(const Record& record, const Record& node) {
  end_launch();
  cursor_.on_node(record, node);
  if (record.status == 0) {
    if (const auto* copy = std::get_if<Copy>(&node.body)) {
      written_.insert(context_.root_of(copy->destination.allocation));
    } else if (const auto* fill = std::get_if<Fill>(&node.body)) {
      written_.insert(context_.root_of(fill->destination.allocation));
    }
  }
}

void Gate::on_dispatch(std::uint64_t record) {
  end_launch();
  const std::uint64_t ordinal = cursor_.ordinal_of(record);
  fates_.at(ordinal - 1) = Fate::kDispatched;
  running_.emplace(LaunchEvidence{.context = context_,
                                  .record = context_.record(record),
                                  .node = cursor_.node_of(record),
                                  .ordinal = ordinal});
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
  const Record* const node = cursor_.node_of(fault.record);
  if (node != nullptr) evidence.fault.node = node->sequence;
  // Of the rows of a copy or fill, the first that is wrong stands for all.
  const Side side{fault.record, evidence.fault.node, fault.access};
  if (std::exchange(faulty_side_, side) == side) return;
  for (const auto& rule : rules_) rule->on_transfer(evidence, findings_);
}

void Gate::on_failed_call(const Record& record) {
  end_launch();
  const std::uint64_t ordinal = context_.launch_ordinal(record.sequence);
  if (ordinal != 0) fates_.at(ordinal - 1) = Fate::kRefused;
  if (ordinal != 0 && std::holds_alternative<LaunchKernel>(record.body)) return;  // a request
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
  stopped_.emplace(cursor_.ordinal_of(record), cause);
}

void Gate::on_touched(std::uint64_t, AllocationId allocation, const TouchedExtents& touched) {
  if (!running_) return;
  running_->touched.push_back({allocation, touched});
  if (!touched.writes.empty()) written_.insert(allocation);
  const bool has_role = !context_.recording().allocation(allocation).info.role.empty();
  if (has_role) touched_roles_.emplace(running_->kernel().id, allocation);
}

void Gate::on_nonfinite(std::uint64_t, AllocationId allocation, std::uint64_t offset_bytes) {
  if (running_)
    doubts_.nonfinite.try_emplace(running_->ordinal, MemoryRef{allocation, offset_bytes});
}

void Gate::end_launch() {
  if (!running_) return;
  const std::uint64_t ordinal = running_->ordinal;
  if (unknown_) {
    // Also where it stopped: a launch that goes astray may stop anywhere.
    stopped_[ordinal] = describe_unknown(*running_, *unknown_);
    doubts_.nonfinite.erase(ordinal);
  } else {
    running_->faults = groups_.faults();
    running_->undefined = groups_.decisions();
    running_->strays = strays_of(*running_, memory_);
    if (!running_->undefined.empty()) doubts_.undefined.insert(ordinal);
    if (!running_->strays.empty() && memory_ == nullptr) doubts_.strays.insert(ordinal);
    const bool is_doubtful = doubts_.undefined.contains(ordinal) ||
                             doubts_.strays.contains(ordinal) ||
                             doubts_.nonfinite.contains(ordinal) || doubt_faults();
    if (is_doubtful) {
      doubtful_.push_back(std::move(*running_));
    } else {
      judge(*running_);
    }
  }
  running_.reset();
  groups_.clear();
  unknown_.reset();
}

/// Whether the running launch leaves a buffer, and several of its arguments may have led there.
bool Gate::doubt_faults() {
  if (!running_->leaves_a_buffer()) return false;
  const Launch launch = running_->launch();
  const auto pointers = std::count_if(
      launch.arguments.begin(), launch.arguments.end(),
      [](const LaunchArgument& each) { return each.is_pointer && each.memory.allocation; });
  if (pointers < 2) return false;
  for (const FaultGroup& group : running_->faults) {
    if (group.first.kind != FaultKind::kOutOfBounds) continue;
    doubts_.faults.try_emplace({running_->kernel().id, group.first.pc},
                               FaultyAccess{running_->ordinal, group.first});
  }
  if (!doubts_.strays.contains(running_->ordinal)) running_->touched.clear();
  return true;
}

/// Empty where it is checked.
std::string Gate::unchecked_cause(std::uint64_t ordinal) const {
  const auto stopped = stopped_.find(ordinal);
  if (stopped != stopped_.end()) return stopped->second;
  return fates_[ordinal - 1] == Fate::kDispatched ? std::string() : "it was not played";
}

std::vector<LaunchFate> Gate::fates() const {
  std::vector<LaunchFate> fates;
  for (std::uint64_t ordinal = 1; ordinal <= context_.launches(); ++ordinal) {
    if (fates_[ordinal - 1] != Fate::kRefused) fates.push_back({ordinal, unchecked_cause(ordinal)});
  }
  return fates;
}

void Gate::judge(LaunchEvidence& evidence) {
  for (const auto& rule : rules_) rule->on_launch(evidence, findings_);
}

/// Of all launches, also of those that did not run.
void Gate::judge_requests() {
  const Recording& recording = context_.recording();
  for (std::uint64_t ordinal = 1; ordinal <= context_.launches(); ++ordinal) {
    const Record& record = context_.record_of_launch(ordinal);
    const Record& what = context_.body_of_launch(ordinal);
    const auto& body = std::get<LaunchKernel>(what.body);
    RequestEvidence evidence{.context = context_,
                             .record = record,
                             .node = &what == &record ? nullptr : &what,
                             .ordinal = ordinal,
                             .body = body,
                             .kernel = recording.kernel(recording.launch(body.launch).kernel)};
    for (const auto& rule : rules_) rule->on_request(evidence, findings_);
  }
}

void Gate::end() {
  end_launch();
  memory_ = nullptr;
}

void Gate::add_siblings(Finding& finding) const {
  const Recording& recording = context_.recording();
  const Place& place = finding.places.front();
  if (!place.allocation || place.launch == 0) return;
  const std::string& role = recording.allocation(place.allocation).info.role;
  if (role.empty()) return;
  const auto& body = std::get<LaunchKernel>(context_.body_of_launch(place.launch).body);
  const KernelId kernel = recording.launch(body.launch).kernel;
  for (const Allocation& other : recording.allocations) {
    if (other.info.role != role) continue;
    Sibling sibling{context_.names().label(other.id), Sibling::State::kNotAccessed};
    if (touched_roles_.contains({kernel, other.id})) sibling.state = Sibling::State::kChecked;
    if (finding.broken.contains(other.id)) sibling.state = Sibling::State::kBroken;
    finding.siblings.push_back(std::move(sibling));
  }
}

Report Gate::report(const Answers& answers) {
  end();
  const auto answer = [](const auto& all, std::uint64_t ordinal) {
    const auto found = all.find(ordinal);
    return found == all.end() ? nullptr : &found->second;
  };
  for (LaunchEvidence& evidence : doubtful_) {
    const std::uint64_t ordinal = evidence.ordinal;
    for (const FaultGroup& group : evidence.faults) {
      const auto known = answers.arguments.find({evidence.kernel().id, group.first.pc});
      if (known != answers.arguments.end()) evidence.followed[group.first.pc] = known->second;
    }
    if (const auto* known = answer(answers.undefined, ordinal)) evidence.confirmation = *known;
    if (const auto* known = answer(answers.nonfinite, ordinal)) evidence.nonfinite = *known;
    if (doubts_.strays.contains(ordinal)) {
      const auto* known = answer(answers.strays, ordinal);
      evidence.strays = known == nullptr ? std::vector<TouchedAllocation>() : *known;
    }
    judge(evidence);
  }
  judge_requests();
  Report report;
  report.findings = findings_.sorted();
  for (Finding& finding : report.findings) add_siblings(finding);
  std::unordered_map<std::string, std::size_t> index;
  for (const auto& [ordinal, reason] : fates()) {
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
