// SPDX-License-Identifier: MIT
#include "capture/hooks/launch_attributes.h"
#include "capture/hooks/launching.h"

/// Launches of functions that the program got from a module.
namespace compass::capture {
namespace {

/// A launch whose grid is in work-items: no workgroup is larger than the grid, and the last one
/// along an axis need not be whole.
struct WorkitemLaunch {
  LaunchCall call;
  bool has_partial_workgroups = false;
};
WorkitemLaunch launch_of_workitems(hip::Function function, const Sizes& workitems,
                                   const Sizes& workgroup, std::size_t dynamic_lds_bytes,
                                   hip::Stream stream) {
  WorkitemLaunch launch{launch_of(function, {}, {}, dynamic_lds_bytes, stream)};
  for (std::size_t i = 0; i < 3; ++i) {
    const std::uint32_t size = std::min(workgroup[i], workitems[i]);
    launch.call.workgroup_workitems[i] = size;
    if (size == 0) continue;
    launch.call.grid_workgroups[i] = workitems[i] / size + (workitems[i] % size == 0 ? 0 : 1);
    launch.has_partial_workgroups |= workitems[i] % size != 0;
  }
  return launch;
}

template <auto Hook, class... Arguments>
int observe_workitem_launch(const WorkitemLaunch& launch, void* const* values, void* const* extra,
                            const LaunchEvents& events, Arguments... arguments) {
  const int result =
      observe_launch<Hook>(with_arguments(launch.call, values, extra), events, arguments...);
  if (result == hip::kSuccess && launch.has_partial_workgroups && call_depth == 0) {
    Recorder::of_process().lose(
        "a launch whose last workgroups are partial was recorded with whole ones");
  }
  return result;
}

}  // namespace
}  // namespace compass::capture

using namespace compass::capture;  // NOLINT: the hooks are HIP's names, in no namespace
using compass::hip::DriverLaunchConfig;
using compass::hip::Event;
using compass::hip::Function;
using compass::hip::Stream;

int hipModuleLaunchKernel(Function function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                          unsigned workgroup_x, unsigned workgroup_y, unsigned workgroup_z,
                          unsigned dynamic_lds_bytes, Stream stream, void** arguments,
                          void** extra) {
  const LaunchCall call =
      launch_of(function, {grid_x, grid_y, grid_z}, {workgroup_x, workgroup_y, workgroup_z},
                dynamic_lds_bytes, stream);
  return observe_launch<&::hipModuleLaunchKernel>(
      with_arguments(call, arguments, extra), {}, function, grid_x, grid_y, grid_z, workgroup_x,
      workgroup_y, workgroup_z, dynamic_lds_bytes, stream, arguments, extra);
}

int hipModuleLaunchCooperativeKernel(Function function, unsigned grid_x, unsigned grid_y,
                                     unsigned grid_z, unsigned workgroup_x, unsigned workgroup_y,
                                     unsigned workgroup_z, unsigned dynamic_lds_bytes,
                                     Stream stream, void** arguments) {
  LaunchCall call = launch_of(function, {grid_x, grid_y, grid_z},
                              {workgroup_x, workgroup_y, workgroup_z}, dynamic_lds_bytes, stream);
  call.is_cooperative = true;
  return observe_launch<&::hipModuleLaunchCooperativeKernel>(
      with_arguments(call, arguments, nullptr), {}, function, grid_x, grid_y, grid_z, workgroup_x,
      workgroup_y, workgroup_z, dynamic_lds_bytes, stream, arguments);
}

int hipExtModuleLaunchKernel(Function function, std::uint32_t workitems_x,
                             std::uint32_t workitems_y, std::uint32_t workitems_z,
                             std::uint32_t workgroup_x, std::uint32_t workgroup_y,
                             std::uint32_t workgroup_z, std::size_t dynamic_lds_bytes,
                             Stream stream, void** arguments, void** extra, Event start, Event stop,
                             std::uint32_t flags) {
  const WorkitemLaunch launch =
      launch_of_workitems(function, {workitems_x, workitems_y, workitems_z},
                          {workgroup_x, workgroup_y, workgroup_z}, dynamic_lds_bytes, stream);
  return observe_workitem_launch<&::hipExtModuleLaunchKernel>(
      launch, arguments, extra, {start, stop}, function, workitems_x, workitems_y, workitems_z,
      workgroup_x, workgroup_y, workgroup_z, dynamic_lds_bytes, stream, arguments, extra, start,
      stop, flags);
}

int hipHccModuleLaunchKernel(Function function, std::uint32_t workitems_x,
                             std::uint32_t workitems_y, std::uint32_t workitems_z,
                             std::uint32_t workgroup_x, std::uint32_t workgroup_y,
                             std::uint32_t workgroup_z, std::size_t dynamic_lds_bytes,
                             Stream stream, void** arguments, void** extra, Event start,
                             Event stop) {
  const WorkitemLaunch launch =
      launch_of_workitems(function, {workitems_x, workitems_y, workitems_z},
                          {workgroup_x, workgroup_y, workgroup_z}, dynamic_lds_bytes, stream);
  return observe_workitem_launch<&::hipHccModuleLaunchKernel>(
      launch, arguments, extra, {start, stop}, function, workitems_x, workitems_y, workitems_z,
      workgroup_x, workgroup_y, workgroup_z, dynamic_lds_bytes, stream, arguments, extra, start,
      stop);
}

int hipDrvLaunchKernelEx(const DriverLaunchConfig* config, Function function, void** arguments,
                         void** extra) {
  LaunchCall call;
  if (config != nullptr) {
    const auto& grid = config->grid_workgroups;
    const auto& workgroup = config->workgroup_workitems;
    call =
        launch_of(function, {grid[0], grid[1], grid[2]}, {workgroup[0], workgroup[1], workgroup[2]},
                  config->dynamic_lds_bytes, config->stream);
    call.is_cooperative = asks_for_cooperation(config->attributes, config->attribute_count);
  }
  return observe_launch<&::hipDrvLaunchKernelEx>(with_arguments(call, arguments, extra), {}, config,
                                                 function, arguments, extra);
}
