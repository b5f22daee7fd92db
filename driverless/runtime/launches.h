// SPDX-License-Identifier: MIT
#pragma once

#include "driverless/runtime/kernel_operation.h"

namespace compass {

/// What a call asks of a launch besides its sizes and arguments.
struct LaunchOptions {
  bool is_cooperative = false;
  hip::Event start = nullptr;  ///< events that are recorded around the launch
  hip::Event stop = nullptr;
};

/// Launches a kernel on the device of the configuration's stream: everything is checked first.
hip::Error launch_on(Device& device, const void* function, const LaunchConfiguration& configuration,
                     const LaunchArguments& arguments, const LaunchOptions& options = {});

}  // namespace compass
