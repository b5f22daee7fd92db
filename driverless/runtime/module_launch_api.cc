// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>

#include "driverless/runtime/api.h"
#include "driverless/runtime/launch_attributes.h"
#include "driverless/runtime/launches.h"

namespace compass::hip {
namespace {

using Sizes = std::array<std::uint32_t, 3>;

Dim3 dim3_of(const Sizes& sizes) { return {sizes[0], sizes[1], sizes[2]}; }

/// Arguments come as values or packed in `extra`, not both.
Error launch(Function function, const LaunchConfiguration& configuration, void** arguments,
             void** extra, const LaunchOptions& options = {}) {
  return with_device([&](Device& device) {
    if (device.platform.modules.find(function) == nullptr) return kErrorInvalidHandle;
    if (arguments != nullptr && extra != nullptr) return kErrorInvalidValue;
    LaunchArguments given{.values = arguments, .packed = {}};
    if (extra != nullptr) {
      if (const Error error = read_extra(extra, given); error != kSuccess) return error;
    }
    return launch_on(device, function, configuration, given, options);
  });
}

/// The same where the grid's size is in work-items: workgroups are whole, and none is larger than
/// the grid.
Error launch_workitems(Function function, const Sizes& workitems, Sizes workgroup,
                       std::size_t dynamic_lds_bytes, Stream stream, void** arguments, void** extra,
                       const LaunchOptions& options) {
  Sizes grid{};
  for (std::size_t i = 0; i < 3; ++i) {
    workgroup[i] = std::min(workgroup[i], workitems[i]);
    if (workgroup[i] == 0) return note_error(kErrorInvalidConfiguration);
    if (workitems[i] % workgroup[i] != 0) return note_error(kErrorInvalidValue);
    grid[i] = workitems[i] / workgroup[i];
  }
  return launch(function, {dim3_of(grid), dim3_of(workgroup), dynamic_lds_bytes, stream}, arguments,
                extra, options);
}

}  // namespace

Error hipModuleLaunchKernel(Function function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                            unsigned workgroup_x, unsigned workgroup_y, unsigned workgroup_z,
                            unsigned dynamic_lds_bytes, Stream stream, void** arguments,
                            void** extra) {
  return launch(function,
                {{grid_x, grid_y, grid_z},
                 {workgroup_x, workgroup_y, workgroup_z},
                 dynamic_lds_bytes,
                 stream},
                arguments, extra);
}

Error hipModuleLaunchCooperativeKernel(Function function, unsigned grid_x, unsigned grid_y,
                                       unsigned grid_z, unsigned workgroup_x, unsigned workgroup_y,
                                       unsigned workgroup_z, unsigned dynamic_lds_bytes,
                                       Stream stream, void** arguments) {
  return launch(function,
                {{grid_x, grid_y, grid_z},
                 {workgroup_x, workgroup_y, workgroup_z},
                 dynamic_lds_bytes,
                 stream},
                arguments, nullptr, {.is_cooperative = true});
}

// Grids on several devices could not wait for one another here.
Error hipModuleLaunchCooperativeKernelMultiDevice(FunctionLaunchParams* launches, unsigned count,
                                                  unsigned) {
  if (launches == nullptr || count == 0) return note_error(kErrorInvalidValue);
  if (count > 1) return note_error(kErrorNotSupported);
  const auto& grid = launches->grid_workgroups;
  const auto& workgroup = launches->workgroup_workitems;
  return launch(launches->function,
                {{grid[0], grid[1], grid[2]},
                 {workgroup[0], workgroup[1], workgroup[2]},
                 launches->dynamic_lds_bytes,
                 launches->stream},
                launches->arguments, nullptr, {.is_cooperative = true});
}

Error hipExtModuleLaunchKernel(Function function, std::uint32_t workitems_x,
                               std::uint32_t workitems_y, std::uint32_t workitems_z,
                               std::uint32_t workgroup_x, std::uint32_t workgroup_y,
                               std::uint32_t workgroup_z, std::size_t dynamic_lds_bytes,
                               Stream stream, void** arguments, void** extra, Event start,
                               Event stop, std::uint32_t) {
  return launch_workitems(function, {workitems_x, workitems_y, workitems_z},
                          {workgroup_x, workgroup_y, workgroup_z}, dynamic_lds_bytes, stream,
                          arguments, extra, {.start = start, .stop = stop});
}

Error hipHccModuleLaunchKernel(Function function, std::uint32_t workitems_x,
                               std::uint32_t workitems_y, std::uint32_t workitems_z,
                               std::uint32_t workgroup_x, std::uint32_t workgroup_y,
                               std::uint32_t workgroup_z, std::size_t dynamic_lds_bytes,
                               Stream stream, void** arguments, void** extra, Event start,
                               Event stop) {
  return hipExtModuleLaunchKernel(function, workitems_x, workitems_y, workitems_z, workgroup_x,
                                  workgroup_y, workgroup_z, dynamic_lds_bytes, stream, arguments,
                                  extra, start, stop, 0);
}

Error hipDrvLaunchKernelEx(const DriverLaunchConfig* config, Function function, void** arguments,
                           void** extra) {
  if (config == nullptr) return note_error(kErrorInvalidConfiguration);
  const std::optional<LaunchOptions> options =
      read_attributes(config->attributes, config->attribute_count);
  if (!options) return note_error(kErrorInvalidValue);
  const auto& grid = config->grid_workgroups;
  const auto& workgroup = config->workgroup_workitems;
  return launch(function,
                {{grid[0], grid[1], grid[2]},
                 {workgroup[0], workgroup[1], workgroup[2]},
                 config->dynamic_lds_bytes,
                 config->stream},
                arguments, extra, *options);
}

}  // namespace compass::hip
