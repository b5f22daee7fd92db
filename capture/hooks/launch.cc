// SPDX-License-Identifier: MIT
#include "capture/hooks/observe.h"

/// Launches. One that runs for ever, or brings the process down, is recorded too: it is written
/// before the runtime is asked.
using namespace compass::capture;  // NOLINT: the hooks are HIP's names, in no namespace
using compass::hip::Dim3;

int hipLaunchKernel(const void* host_function, Dim3 grid_workgroups, Dim3 workgroup_workitems,
                    void** arguments, std::size_t dynamic_lds_bytes, compass::hip::Stream stream) {
  const auto before = [=](Recorder& recorder) -> std::optional<std::string> {
    describe_device(recorder, reinterpret_cast<void*>(real_call<&::hipLaunchKernel>()));
    const auto numbers = [](Dim3 size) {
      return std::array<std::uint32_t, 3>{size.x, size.y, size.z};
    };
    compass::journal::Launch launch;
    launch.host_function = number_of(host_function);
    launch.stream = number_of(stream);
    launch.grid_workgroups = numbers(grid_workgroups);
    launch.workgroup_workitems = numbers(workgroup_workitems);
    launch.dynamic_lds_bytes = static_cast<std::uint32_t>(dynamic_lds_bytes);
    return recorder.append_launch(std::move(launch), arguments);
  };
  // What the runtime refused and we could not read either, was no launch of a kernel.
  const auto after = [](Recorder& recorder, int result, const std::optional<std::string>& loss) {
    if (!loss && result != compass::hip::kSuccess) recorder.note_failure(result);
    if (loss && !loss->empty() && result == compass::hip::kSuccess) recorder.lose(*loss);
  };
  return observe_around<&::hipLaunchKernel>(before, after, host_function, grid_workgroups,
                                            workgroup_workitems, arguments, dynamic_lds_bytes,
                                            stream);
}
