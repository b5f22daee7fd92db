// SPDX-License-Identifier: MIT
#include "driverless/inspection/pass.h"

#include <algorithm>
#include <utility>

namespace compass::inspection {

bool Pass::add(LookRequest& request) {
  if (!looks_.emplace(request.ordinal, &request).second) return false;
  const Record& record = stage_.context.record_of_launch(request.ordinal);
  last_record_ = std::max(last_record_, record.sequence);
  return true;
}

void Pass::add(RecordRequest request) {
  last_record_ = std::max(last_record_, request.record);
  records_.emplace(request.record, std::move(request));
}

Result<void> Pass::run() { return play_to(last_record_); }

void Pass::on_record(const Record& record) {
  const auto [begin, end] = records_.equal_range(record.sequence);
  for (auto request = begin; request != end; ++request) request->second.on_met(*memory_);
}

Look* Pass::look_at(std::uint64_t record) {
  const auto found = looks_.find(cursor_.ordinal_of(record));
  current_ = found == looks_.end() ? nullptr : found->second;
  return current_ == nullptr ? nullptr : &current_->look;
}

void Pass::meet() {
  current_->is_met = true;
  current_->look.freeze();
  if (!current_->on_met) return;
  current_->on_met(current_->look, *memory_);
  current_->look.steps.clear();  // traces are long
}

void Pass::on_fault(const Fault& fault) {
  if (current_ == nullptr || current_->is_met) return;
  const Look& look = current_->look;
  const bool is_it = current_->until == LookRequest::Until::kFault && fault.pc == current_->pc &&
                     fault.workgroup == look.workgroup && fault.wavefront == look.wavefront &&
                     fault.lane == look.lane;
  if (is_it) meet();
}

void Pass::on_tainted_decision(const TaintedDecision& decision) {
  if (current_ == nullptr || current_->is_met) return;
  const Look& look = current_->look;
  const bool is_it = current_->until == LookRequest::Until::kDecision &&
                     decision.pc == current_->pc && decision.workgroup == look.workgroup &&
                     decision.wavefront == look.wavefront;
  if (is_it) meet();
}

void Pass::on_watched_access(const WatchedAccess& access) {
  if (current_ == nullptr) return;
  ++current_->accesses;
  if (!current_->first_access) current_->first_access = access;
  current_->last_access = access;
  const bool is_it =
      current_->until == LookRequest::Until::kAccess && current_->accesses == current_->access;
  if (is_it && !current_->is_met) meet();
}

Result<void> look_at_all(const Stage& stage, std::vector<LookRequest>& requests) {
  std::vector<LookRequest*> left;
  for (LookRequest& request : requests) left.push_back(&request);
  while (!left.empty()) {
    Pass pass(stage);
    std::erase_if(left, [&](LookRequest* request) { return pass.add(*request); });
    if (auto ok = pass.run(); !ok) return ok;
  }
  return {};
}

}  // namespace compass::inspection
