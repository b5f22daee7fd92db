// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>

#include "driverless/agent.h"
#include "driverless/runtime/device_memory.h"
#include "driverless/runtime/operation.h"

namespace compass {

/// Carries operations out, one at a time, at once.
///
/// What a launch does wrong does not stop the program: it is counted for the line at the process's
/// end. A launch that could not run to its end was accepted all the same: as on a device,
/// everything that waits after it fails. Later launches are accepted and run, so that their causes
/// are seen. Time is modelled, so that it is the same on every run: see duration.h.
class Executor {
 public:
  Executor(Agent& agent, DeviceMemory& memory) : agent_(agent), memory_(memory) {}

  /// What an operation took in modelled time, or that it cannot be carried out yet.
  struct Outcome {
    bool done = true;
    std::uint64_t duration_ns = 0;
  };
  /// `operation` is none of the host's functions: those are the scheduler's.
  Outcome run(const Operation& operation, Tag tag);

  /// kErrorLaunchFailure once a launch could not run to its end.
  hip::Error status() const { return status_; }

  /// What to say when the process ends; empty if nothing.
  std::string closing_line() const;

 private:
  Outcome carry_out(const Operation& operation, Tag tag);
  std::uint64_t launch(const KernelOperation& operation, Tag tag);
  void write_value(const WriteValueOperation& write, Tag tag);

  Agent& agent_;
  DeviceMemory& memory_;
  hip::Error status_ = hip::kSuccess;
  std::uint64_t faulty_launches_ = 0;
};

}  // namespace compass
