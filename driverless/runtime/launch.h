// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "driverless/agent.h"
#include "driverless/runtime/operation.h"
#include "ir/hip/abi.h"

namespace compass {

/// The sizes and the place of a launch, as `<<<>>>` gives them.
struct LaunchConfiguration {
  hip::Dim3 grid_workgroups;
  hip::Dim3 workgroup_workitems;
  std::uint64_t dynamic_lds_bytes = 0;
  hip::Stream stream = nullptr;
};

/// Where a launch has its arguments from.
struct LaunchArguments {
  void** values = nullptr;  ///< one pointer an argument; or
  ByteView packed;          ///< the arguments at their offsets, as HIP_LAUNCH_PARAM_BUFFER gives
};

/// Whether the architecture can run a launch of these sizes: HIP's error if not.
hip::Error check_sizes(const arch::Architecture& architecture, const Kernel& kernel,
                       const LaunchConfiguration& configuration);

/// Makes the operation of a launch whose sizes are checked; says once why, where it cannot.
hip::Error make_launch(std::shared_ptr<const LoadedKernel> kernel,
                       const LaunchConfiguration& configuration, const LaunchArguments& arguments,
                       KernelOperation& operation);

}  // namespace compass
