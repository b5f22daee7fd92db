// SPDX-License-Identifier: MIT
#pragma once

#include "driverless/runtime/launch.h"
#include "driverless/runtime/runtime.h"

namespace compass {

/// The kernel on the device with that ordinal that a program names by `function`, as every call
/// does that launches one.
FoundKernel find_kernel(Device& device, const void* function, int device_ordinal);

/// Makes the operation of a launch on that device: everything is checked.
hip::Error make_kernel_operation(Device& device, int device_ordinal, const void* function,
                                 const LaunchConfiguration& configuration,
                                 const LaunchArguments& arguments, KernelOperation& operation);

/// Reads `extra`, in which HIP takes arguments packed: pairs of a key and a pointer.
hip::Error read_extra(void** extra, LaunchArguments& arguments);

}  // namespace compass
