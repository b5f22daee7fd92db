// SPDX-License-Identifier: MIT
#include "capture/hooks/observe.h"

/// Launches.
using namespace compass::capture;  // NOLINT: the hooks are HIP's names, in no namespace
using compass::hip::Dim3;

int hipLaunchKernel(const void* host_function, Dim3 grid_workgroups, Dim3 workgroup_workitems,
                    void** arguments, std::size_t dynamic_lds_bytes, compass::hip::Stream stream) {
  const auto launched = [=](Recorder& recorder) {
    const auto numbers = [](Dim3 size) {
      return std::array<std::uint32_t, 3>{size.x, size.y, size.z};
    };
    compass::journal::Launch launch;
    launch.host_function = number_of(host_function);
    launch.stream = number_of(stream);
    launch.grid_workgroups = numbers(grid_workgroups);
    launch.workgroup_workitems = numbers(workgroup_workitems);
    launch.dynamic_lds_bytes = static_cast<std::uint32_t>(dynamic_lds_bytes);
    recorder.append_launch(std::move(launch), arguments);
  };
  return observe<&::hipLaunchKernel>(launched, host_function, grid_workgroups, workgroup_workitems,
                                     arguments, dynamic_lds_bytes, stream);
}
