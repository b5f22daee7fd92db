// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>

#include "driverless/agent.h"
#include "driverless/runtime/fat_binaries.h"
#include "ir/hip/abi.h"

namespace compass {

/// The sizes and the place of a launch, as `<<<>>>` gives them.
struct LaunchConfiguration {
  hip::Dim3 grid_workgroups;
  hip::Dim3 workgroup_workitems;
  std::uint64_t dynamic_lds_bytes = 0;
  hip::Stream stream = nullptr;
};

/// Loads kernels when they are first launched, and runs launches to their end.
///
/// What a launch does wrong does not stop the program: it is counted for the line at the process's
/// end. A launch that could not run to its end was accepted all the same: as on a device,
/// everything that waits after it fails. Later launches are accepted and run, so that their causes
/// are seen. Threads: one at a time.
class Launcher {
 public:
  explicit Launcher(Agent& agent) : agent_(agent) {}

  hip::Error launch(RegisteredFunction& function, const LaunchConfiguration& configuration,
                    void** arguments);

  /// Ends what a fat binary has on the device.
  void unload(const FatBinary& fat_binary);

  /// kErrorLaunchFailure once a launch could not run to its end.
  hip::Error status() const { return status_; }

  /// What to say when the process ends; empty if nothing.
  std::string closing_line() const;

 private:
  hip::Error load(FatBinary& fat_binary);
  hip::Error find_kernel(RegisteredFunction& function);
  hip::Error check(const Kernel& kernel, const LaunchConfiguration& configuration) const;
  hip::Error run(const Dispatch& dispatch);

  Agent& agent_;
  hip::Error status_ = hip::kSuccess;
  std::uint64_t launches_ = 0;
  std::uint64_t faulty_launches_ = 0;
};

}  // namespace compass
