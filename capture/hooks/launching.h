// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>

#include "capture/hooks/observe.h"
#include "ir/hip/module_abi.h"

/// What the hooks of launches have in common. A launch that runs for ever, or brings the process
/// down, is recorded too: it is written before the runtime is asked.
namespace compass::capture {

using Sizes = std::array<std::uint32_t, 3>;
using LaunchCall = Recorder::LaunchCall;

inline Sizes sizes_of(hip::Dim3 size) { return {size.x, size.y, size.z}; }

/// The sizes and the place of a launch, without its arguments.
inline LaunchCall launch_of(const void* function, const Sizes& grid_workgroups,
                            const Sizes& workgroup_workitems, std::size_t dynamic_lds_bytes,
                            hip::Stream stream) {
  LaunchCall call;
  call.host_function = number_of(function);
  call.stream = number_of(stream);
  call.grid_workgroups = grid_workgroups;
  call.workgroup_workitems = workgroup_workitems;
  call.dynamic_lds_bytes = static_cast<std::uint32_t>(dynamic_lds_bytes);
  return call;
}

/// With the arguments that a launch of a hipFunction_t may be given in two ways.
LaunchCall with_arguments(LaunchCall call, void* const* values, void* const* extra);

/// Events that the runtime records right before and after a launch; null: none.
struct LaunchEvents {
  hip::Event start = nullptr;
  hip::Event stop = nullptr;
};

struct ObservedLaunch {
  std::uint64_t start_entry = 0;
  Recorder::AppendedLaunch launch;
};
inline std::uint64_t entry_of(const ObservedLaunch& observed) { return observed.launch.entry; }

/// Records the launch `call` that `Hook` was asked for with `arguments`.
template <auto Hook, class... Arguments>
int observe_launch(const LaunchCall& call, const LaunchEvents& events, Arguments... arguments) {
  const auto record_event = [stream = call.stream](Recorder& recorder, hip::Event event) {
    if (event == nullptr) return std::uint64_t{0};
    return recorder.append(journal::RecordEvent{number_of(event), stream});
  };
  const auto before = [&](Recorder& recorder) {
    ObservedLaunch observed;
    observed.start_entry = record_event(recorder, events.start);
    observed.launch = recorder.append_launch(call);
    return observed;
  };
  const auto after = [&](Recorder& recorder, int result, const ObservedLaunch& observed) {
    if (result != hip::kSuccess) {
      recorder.note_failure(observed.start_entry, result);
      return recorder.note_failure(observed.launch.entry, result);
    }
    record_event(recorder, events.stop);
    // What the runtime refused and we could not read either, was no launch of a kernel.
    if (!observed.launch.loss.empty()) recorder.lose(observed.launch.loss);
  };
  return observe_around<Hook>(before, after, arguments...);
}

}  // namespace compass::capture
