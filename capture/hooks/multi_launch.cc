// SPDX-License-Identifier: MIT
#include "capture/hooks/launching.h"

/// Several launches in one call, each on a stream of its own.
namespace compass::capture {
namespace {

LaunchCall call_of(const hip::LaunchParams& given) {
  LaunchCall call =
      launch_of(given.function, sizes_of(given.grid_workgroups),
                sizes_of(given.workgroup_workitems), given.dynamic_lds_bytes, given.stream);
  call.arguments = given.arguments;
  return call;
}

LaunchCall call_of(const hip::FunctionLaunchParams& given) {
  const auto& grid = given.grid_workgroups;
  const auto& workgroup = given.workgroup_workitems;
  LaunchCall call =
      launch_of(given.function, {grid[0], grid[1], grid[2]},
                {workgroup[0], workgroup[1], workgroup[2]}, given.dynamic_lds_bytes, given.stream);
  call.arguments = given.arguments;
  return call;
}

enum class Cooperation : std::uint8_t { kNone, kWithinEach };

template <auto Hook, class Parameters, class Count>
int observe_launches(Parameters* launches, Count count, unsigned flags, Cooperation cooperation) {
  return observe_batch<Hook>(
      [=](Recorder& recorder) {
        Batch batch;
        for (Count i = 0; launches != nullptr && i < count; ++i) {
          LaunchCall call = call_of(launches[i]);
          call.is_cooperative = cooperation == Cooperation::kWithinEach;
          const Recorder::AppendedLaunch appended = recorder.append_launch(call);
          batch.add(appended.entry);
          if (!appended.loss.empty()) recorder.lose(appended.loss);
        }
        return batch;
      },
      launches, count, flags);
}

}  // namespace
}  // namespace compass::capture

using namespace compass::capture;  // NOLINT: the hooks are HIP's names, in no namespace
using compass::hip::FunctionLaunchParams;
using compass::hip::LaunchParams;

int hipExtLaunchMultiKernelMultiDevice(LaunchParams* launches, int count, unsigned flags) {
  return observe_launches<&::hipExtLaunchMultiKernelMultiDevice>(launches, count, flags,
                                                                 Cooperation::kNone);
}

int hipLaunchCooperativeKernelMultiDevice(LaunchParams* launches, int count, unsigned flags) {
  return observe_launches<&::hipLaunchCooperativeKernelMultiDevice>(launches, count, flags,
                                                                    Cooperation::kWithinEach);
}

int hipModuleLaunchCooperativeKernelMultiDevice(FunctionLaunchParams* launches, unsigned count,
                                                unsigned flags) {
  return observe_launches<&::hipModuleLaunchCooperativeKernelMultiDevice>(launches, count, flags,
                                                                          Cooperation::kWithinEach);
}
