// SPDX-License-Identifier: MIT
#include "capture/hooks/observe.h"
#include "capture/hooks/stream_capture.h"

/// Launches. One that runs for ever, or brings the process down, is recorded too: it is written
/// before the runtime is asked.
using namespace compass::capture;  // NOLINT: the hooks are HIP's names, in no namespace
using compass::hip::Dim3;

int hipLaunchKernel(const void* host_function, Dim3 grid_workgroups, Dim3 workgroup_workitems,
                    void** arguments, std::size_t dynamic_lds_bytes, compass::hip::Stream stream) {
  const auto before = [=](Recorder& recorder) {
    const auto numbers = [](Dim3 size) {
      return std::array<std::uint32_t, 3>{size.x, size.y, size.z};
    };
    return recorder.append_launch({number_of(host_function), number_of(stream),
                                   numbers(grid_workgroups), numbers(workgroup_workitems),
                                   static_cast<std::uint32_t>(dynamic_lds_bytes), arguments,
                                   capture_of(stream)});
  };
  // What the runtime refused and we could not read either, was no launch of a kernel.
  const auto after = [](Recorder& recorder, int result, const Recorder::AppendedLaunch& launch) {
    if (result != compass::hip::kSuccess) return recorder.note_failure(launch.entry, result);
    if (!launch.loss.empty()) recorder.lose(launch.loss);
  };
  return observe_around<&::hipLaunchKernel>(before, after, host_function, grid_workgroups,
                                            workgroup_workitems, arguments, dynamic_lds_bytes,
                                            stream);
}
