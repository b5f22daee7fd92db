// SPDX-License-Identifier: MIT
#include <algorithm>

#include "driverless/runtime/api.h"
#include "driverless/runtime/launch_attributes.h"
#include "driverless/runtime/launches.h"

namespace compass::hip {
namespace {

constexpr int kAnyOrder = 1;  // hipExtAnyOrderLaunch

Error launch(const void* function, const LaunchConfiguration& configuration, void** arguments,
             const LaunchOptions& options = {}) {
  return with_device([&](Device& device) {
    return launch_on(device, function, configuration, {.values = arguments, .packed = {}}, options);
  });
}

/// Each launch on its own stream, in order.
Error launch_each(const LaunchParams* launches, int count, const LaunchOptions& options) {
  if (launches == nullptr || count <= 0) return note_error(kErrorInvalidValue);
  for (const LaunchParams& each : std::span(launches, static_cast<std::size_t>(count))) {
    const Error error = launch(
        each.function,
        {each.grid_workgroups, each.workgroup_workitems, each.dynamic_lds_bytes, each.stream},
        each.arguments, options);
    if (error != kSuccess) return error;
  }
  return kSuccess;
}

}  // namespace

Error hipLaunchKernel(const void* function, Dim3 grid_workgroups, Dim3 workgroup_workitems,
                      void** arguments, std::size_t dynamic_lds_bytes, Stream stream) {
  return launch(function, {grid_workgroups, workgroup_workitems, dynamic_lds_bytes, stream},
                arguments);
}

Error hipLaunchKernelExC(const LaunchConfig* config, const void* function, void** arguments) {
  if (config == nullptr) return note_error(kErrorInvalidConfiguration);
  const std::optional<LaunchOptions> options =
      read_attributes(config->attributes, config->attribute_count);
  if (!options) return note_error(kErrorInvalidValue);
  return launch(function,
                {config->grid_workgroups, config->workgroup_workitems, config->dynamic_lds_bytes,
                 config->stream},
                arguments, *options);
}

Error hipExtLaunchKernel(const void* function, Dim3 grid_workgroups, Dim3 workgroup_workitems,
                         void** arguments, std::size_t dynamic_lds_bytes, Stream stream,
                         Event start, Event stop, int flags) {
  if ((flags & ~kAnyOrder) != 0) return note_error(kErrorInvalidValue);
  return launch(function, {grid_workgroups, workgroup_workitems, dynamic_lds_bytes, stream},
                arguments, {.start = start, .stop = stop});
}

Error hipLaunchCooperativeKernel(const void* function, Dim3 grid_workgroups,
                                 Dim3 workgroup_workitems, void** arguments,
                                 unsigned dynamic_lds_bytes, Stream stream) {
  return launch(function, {grid_workgroups, workgroup_workitems, dynamic_lds_bytes, stream},
                arguments, {.is_cooperative = true});
}

// Grids on several devices could not wait for one another here.
Error hipLaunchCooperativeKernelMultiDevice(LaunchParams* launches, int count, unsigned) {
  if (count > 1) return note_error(kErrorNotSupported);
  return launch_each(launches, count, {.is_cooperative = true});
}

Error hipExtLaunchMultiKernelMultiDevice(LaunchParams* launches, int count, unsigned) {
  return launch_each(launches, count, {});
}

}  // namespace compass::hip
