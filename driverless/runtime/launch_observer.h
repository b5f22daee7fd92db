// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <span>
#include <string>
#include <vector>

#include "driverless/machine/observer.h"
#include "driverless/runtime/live_recorder.h"
#include "ir/evidence_groups.h"

namespace compass {

/// Follows one launch. Tells the recorder what goes wrong in it: of each kind the first time at
/// once, since the launch may never end, and how often when it has ended. Says on standard error
/// why it stopped, and once that it takes long.
class LaunchObserver : public Observer {
 public:
  using Clock = std::chrono::steady_clock;

  /// `kernel` and `memory` must outlive this.
  LaunchObserver(const std::string& kernel, Tag tag, const DeviceMemory& memory,
                 Clock::duration patience = std::chrono::seconds(10))
      : kernel_(kernel), tag_(tag), memory_(memory), patience_(patience) {}

  void on_fault(const Fault& fault) override;
  void on_tainted_decision(const TaintedDecision& decision) override;
  void on_first_run(std::span<const RanInstruction> instructions) override;
  void on_nonfinite(std::uint64_t record, AllocationId allocation,
                    std::uint64_t offset_bytes) override;
  void on_touched(std::uint64_t record, AllocationId allocation,
                  const TouchedExtents& touched) override;
  void on_stopped(std::uint64_t record, const std::string& cause) override;
  void on_progress(std::uint64_t record, std::uint64_t wave_instructions) override;

  /// The launch has ended: it ran to its end, or stopped before.
  enum class End : std::uint8_t { kRan, kStopped };
  void end(End end);

  bool faulty() const { return !groups_.faults().empty(); }

 private:
  const std::string& kernel_;
  Tag tag_;
  const DeviceMemory& memory_;
  Clock::duration patience_;
  Clock::time_point start_ = Clock::now();
  bool said_ = false;
  EvidenceGroups groups_;
  std::vector<journal::AllocationAccesses> accesses_;
};

}  // namespace compass
