// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "driverless/machine/look.h"
#include "driverless/machine/shadow.h"
#include "ir/coverage.h"
#include "ir/fault.h"

namespace compass {

/// Sees what an agent does. Every call happens on the thread that drives the agent.
class Observer {
 public:
  virtual ~Observer() = default;

  /// A launch starts; `record` is whatever the dispatch was tagged with.
  virtual void on_dispatch(std::uint64_t record) { static_cast<void>(record); }

  /// One lane of the running launch made an access that it must not make.
  virtual void on_fault(const Fault& fault) { static_cast<void>(fault); }

  /// A copy or fill touched what it must not.
  virtual void on_transfer_fault(const TransferFault& fault) { static_cast<void>(fault); }

  /// A value that is not known decided something in the running launch.
  virtual void on_tainted_decision(const TaintedDecision& decision) { static_cast<void>(decision); }

  /// The running launch accessed the byte that its dispatch watches.
  virtual void on_watched_access(const WatchedAccess& store) { static_cast<void>(store); }

  /// Something to look at in the launch that comes next, or null. It must live until that has
  /// ended. Only DriverlessBackend asks.
  virtual Look* look_at(std::uint64_t record) { return static_cast<void>(record), nullptr; }

  /// The instructions that the wavefronts of the launch that ends have run. Before on_touched().
  virtual void on_ended(std::uint64_t record, std::uint64_t wave_instructions) {
    static_cast<void>(record), static_cast<void>(wave_instructions);
  }

  /// The launch that ends has run instructions that the agent had not run before.
  virtual void on_first_run(std::span<const RanInstruction> instructions) {
    static_cast<void>(instructions);
  }

  /// The launch that ends has stored an infinity or NaN there, where its kernel stores numbers: the
  /// first such place.
  virtual void on_nonfinite(std::uint64_t record, AllocationId allocation,
                            std::uint64_t offset_bytes) {
    static_cast<void>(record), static_cast<void>(allocation), static_cast<void>(offset_bytes);
  }

  /// What the launch that ends has read and written of one allocation.
  virtual void on_touched(std::uint64_t record, AllocationId allocation,
                          const TouchedExtents& touched) {
    static_cast<void>(record), static_cast<void>(allocation), static_cast<void>(touched);
  }

  /// The launch takes long: so many instructions have its wavefronts run. Called about every 2^26.
  virtual void on_progress(std::uint64_t record, std::uint64_t wave_instructions) {
    static_cast<void>(record), static_cast<void>(wave_instructions);
  }

  /// The launch ended before its work was done; `cause` names the kernel, the place and why.
  virtual void on_stopped(std::uint64_t record, const std::string& cause) {
    static_cast<void>(record), static_cast<void>(cause);
  }
};

}  // namespace compass
