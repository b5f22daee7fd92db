// SPDX-License-Identifier: MIT
#include "driverless/gate/gate.h"

#include <unordered_map>
#include <variant>

namespace compass::gate {

std::vector<std::unique_ptr<Rule>> all_rules() {
  std::vector<std::unique_ptr<Rule>> rules;
  rules.push_back(make_out_of_bounds());
  rules.push_back(make_use_after_free());
  rules.push_back(make_misaligned_access());
  return rules;
}

Gate::Gate(const Recording& recording) : context_(recording), rules_(all_rules()) {}

void Gate::on_dispatch(std::uint64_t record) {
  CHECK(context_.launch_ordinal(record) != 0);
  end_launch();
  dispatched_.insert(record);
  running_.emplace(
      LaunchEvidence{context_, context_.record(record), context_.launch_ordinal(record), {}});
}

void Gate::on_fault(const Fault& fault) {
  CHECK(running_.has_value());
  const FaultKey key{fault.kind, fault.access, fault.space, fault.pc, fault.allocation};
  const auto [group, is_new] = groups_.try_emplace(key, running_->faults.size());
  if (is_new) running_->faults.push_back({fault, 0});
  ++running_->faults[group->second].accesses;
}

void Gate::on_transfer_fault(const TransferFault& fault) {
  end_launch();
  const TransferEvidence evidence{context_, context_.record(fault.record), fault};
  for (const auto& rule : rules_) rule->on_transfer(evidence, findings_);
}

void Gate::on_stopped(std::uint64_t record, const std::string& cause) {
  stopped_.emplace(record, cause);
}

void Gate::end_launch() {
  if (!running_) return;
  for (const auto& rule : rules_) rule->on_launch(*running_, findings_);
  running_.reset();
  groups_.clear();
}

Report Gate::report() {
  end_launch();
  Report report;
  report.findings = findings_.sorted();
  std::unordered_map<std::string, std::size_t> index;
  for (const Record& record : context_.recording().records) {
    const std::uint64_t ordinal = context_.launch_ordinal(record.sequence);
    if (ordinal == 0) continue;
    const auto stopped = stopped_.find(record.sequence);
    if (stopped == stopped_.end() && dispatched_.contains(record.sequence)) {
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
