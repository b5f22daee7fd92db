// SPDX-License-Identifier: MIT
#include "driverless/gate/judge.h"

#include <variant>

namespace compass::gate {
namespace {

constexpr const char* kDidNotRun = "it had not run to its end when the program ended";

void tell_of_launch(Gate& gate, std::uint64_t record, const Evidence& evidence,
                    const Observed* seen) {
  const bool ran = evidence.has_run(record);
  if (ran || seen != nullptr) gate.on_dispatch(record);
  if (seen != nullptr) {
    for (const FaultGroup& group : seen->faults) gate.on_faults(group);
    for (const DecisionGroup& group : seen->decisions) gate.on_decisions(group);
    if (!seen->stop_cause.empty()) gate.on_stopped(record, seen->stop_cause);
  }
  if (!ran) gate.on_stopped(record, kDidNotRun);
}

/// Whether a copy or fill touches a variable of code. To a runtime that is a part of its code
/// object like any other.
bool touches_variable(const Recording& recording, const Record& record) {
  const auto is_variable = [&](const MemoryRef& place) {
    return place.allocation &&
           recording.allocation(place.allocation).kind == AllocationKind::kGlobal;
  };
  if (const auto* fill = std::get_if<Fill>(&record.body)) return is_variable(fill->destination);
  const auto* copy = std::get_if<Copy>(&record.body);
  return copy != nullptr && (is_variable(copy->destination) || is_variable(copy->source));
}

}  // namespace

Report judge(const Recording& recording, const Evidence& evidence) {
  Gate gate(recording);
  for (const Record& record : recording.records) {
    if (record.status != 0) {
      gate.on_failed_call(record);
      continue;
    }
    const auto found = evidence.observed.find({record.sequence, 0});
    const Observed* const seen = found == evidence.observed.end() ? nullptr : &found->second;
    if (std::holds_alternative<LaunchKernel>(record.body)) {
      tell_of_launch(gate, record.sequence, evidence, seen);
    } else if (seen != nullptr) {
      for (const TransferFault& fault : seen->transfers) gate.on_transfer_fault(fault);
    } else if (touches_variable(recording, record)) {
      gate.on_unseen_transfer(record);
    }
  }
  return gate.report();
}

}  // namespace compass::gate
