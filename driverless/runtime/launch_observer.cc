// SPDX-License-Identifier: MIT
#include "driverless/runtime/launch_observer.h"

#include <utility>

#include "driverless/machine/access_runs.h"
#include "driverless/runtime/notice.h"
#include "ir/base/concat.h"

namespace compass {

void LaunchObserver::on_fault(const Fault& fault) {
  if (groups_.add(fault, 1)) LiveRecorder::get().faults(tag_, {fault, 1}, memory_);
}

void LaunchObserver::on_tainted_decision(const TaintedDecision& decision) {
  if (!groups_.add(decision, decision.lanes)) return;
  LiveRecorder::get().decisions(tag_, {decision, decision.lanes}, memory_);
}

void LaunchObserver::on_stopped(std::uint64_t, const std::string& cause) {
  LiveRecorder::get().stopped(tag_, cause);
  notice_once(concat("a launch could not run to its end: ", cause));
}

void LaunchObserver::on_first_run(std::span<const RanInstruction> instructions) {
  LiveRecorder::get().first_run(instructions);
}

void LaunchObserver::on_nonfinite(std::uint64_t, AllocationId allocation,
                                  std::uint64_t offset_bytes) {
  LiveRecorder::get().nonfinite(tag_, allocation, offset_bytes, memory_);
}

void LaunchObserver::on_touched(std::uint64_t, AllocationId allocation,
                                const TouchedExtents& touched) {
  if (!LiveRecorder::get().is_there()) return;
  accesses_.push_back(
      {key_of(memory_, allocation), runs_of(touched.reads), runs_of(touched.writes)});
}

void LaunchObserver::end(End end) {
  if (end == End::kRan) LiveRecorder::get().accesses(tag_, std::move(accesses_));
  for (const FaultGroup& group : groups_.faults()) {
    if (group.accesses == 1) continue;
    LiveRecorder::get().faults(tag_, {group.first, group.accesses - 1}, memory_);
  }
  for (const DecisionGroup& group : groups_.decisions()) {
    if (group.lanes == group.first.lanes) continue;
    LiveRecorder::get().decisions(tag_, {group.first, group.lanes - group.first.lanes}, memory_);
  }
}

void LaunchObserver::on_progress(std::uint64_t, std::uint64_t wave_instructions) {
  if (said_) return;
  const Clock::duration elapsed = Clock::now() - start_;
  if (elapsed < patience_) return;
  said_ = true;
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(elapsed).count();
  notice(concat("kernel ", kernel_, " has run ", wave_instructions, " wavefront instructions in ",
                seconds, " s and goes on; if it waits for the host, --copies late may let it end"));
}

}  // namespace compass
