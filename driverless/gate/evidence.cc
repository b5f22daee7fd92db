// SPDX-License-Identifier: MIT
#include "driverless/gate/evidence.h"

#include <algorithm>
#include <utility>
#include <variant>

#include "driverless/gate/place.h"
#include "driverless/gate/statement.h"

namespace compass::gate {
namespace {

/// What in a finding's id stands for its buffer.
std::string role_of(const Context& context, const Place& place) {
  if (!place.allocation) return place.buffer.empty() ? place.argument : place.buffer;
  const BufferInfo& info = context.recording().allocation(place.allocation).info;
  if (!info.role.empty()) return info.role;
  return info.name.empty() ? place.argument : info.name;
}

Finding finding_at(Place place, std::string_view rule, Level level, const Context& context,
                   std::string kernel, std::uint64_t accesses) {
  const Record& record = context.record(place.record);
  Finding finding;
  finding.rule = rule;
  finding.level = level;
  finding.kernel = std::move(kernel);
  finding.step_kind = context.step_kind(record);
  finding.phase = place.node == 0 ? record.phase : "replay";
  finding.accesses = accesses;
  finding.launches = 1;
  finding.role = role_of(context, place);
  finding.places.push_back(std::move(place));
  finding.id = stable_id(finding);
  if (finding.places.front().decision) {
    finding.unit = "lane";
    finding.memory_is = "undefined";
  }
  finding.statement = statement_of(finding);
  return finding;
}

}  // namespace

const LaunchKernel& LaunchEvidence::body() const {
  return std::get<LaunchKernel>((node == nullptr ? record : *node).body);
}

const Record& TransferEvidence::deed() const {
  return fault.node == 0 ? record : context.record(fault.node);
}

Launch LaunchEvidence::launch() const { return context.recording().launch_of(body()); }

bool LaunchEvidence::leaves_a_buffer() const {
  return std::any_of(faults.begin(), faults.end(), [](const FaultGroup& group) {
    return group.first.kind == FaultKind::kOutOfBounds &&
           group.first.space == AddressSpace::kGlobal;
  });
}

const Kernel& LaunchEvidence::kernel() const {
  const Recording& recording = context.recording();
  return recording.kernel(recording.launch(body().launch).kernel);
}

Finding finding_of(std::string_view rule, Level level, const LaunchEvidence& evidence,
                   const FaultGroup& group) {
  return finding_at(place_of(evidence, group.first), rule, level, evidence.context,
                    evidence.kernel().canonical, group.accesses);
}

Finding finding_of(std::string_view rule, Level level, const LaunchEvidence& evidence,
                   const DecisionGroup& group) {
  return finding_at(place_of(evidence, group.first), rule, level, evidence.context,
                    evidence.kernel().canonical, group.lanes);
}

Finding finding_of(std::string_view rule, Level level, const LaunchEvidence& evidence,
                   Place place) {
  return finding_at(std::move(place), rule, level, evidence.context, evidence.kernel().canonical,
                    1);
}

Finding finding_of(std::string_view rule, Level level, const RequestEvidence& evidence) {
  Finding finding =
      finding_at(place_of(evidence), rule, level, evidence.context, evidence.kernel.canonical, 1);
  finding.unit = "launch";
  return finding;
}

Finding finding_of(std::string_view rule, Level level, const TransferEvidence& evidence) {
  return finding_at(place_of(evidence), rule, level, evidence.context,
                    std::string(kind_of(evidence.deed())), 1);
}

Finding finding_of(std::string_view rule, Level level, const FailedCallEvidence& evidence) {
  const auto* launch = std::get_if<LaunchKernel>(&evidence.record.body);
  std::string kernel(kind_of(evidence.record));
  if (launch != nullptr) {
    const Recording& recording = evidence.context.recording();
    kernel = recording.kernel(recording.launch(launch->launch).kernel).canonical;
  }
  return finding_at(place_of(evidence), rule, level, evidence.context, std::move(kernel), 1);
}

Finding finding_of(std::string_view rule, Level level, const ReportEvidence& evidence) {
  return finding_at(place_of(evidence), rule, level, evidence.context,
                    std::string(kind_of(evidence.record)), 1);
}

}  // namespace compass::gate
