// SPDX-License-Identifier: MIT
#include <utility>
#include <vector>

#include "capture/hooks/launch_attributes.h"
#include "capture/hooks/launching.h"

/// Launches of kernels that the host code names by a function of its own.
namespace compass::capture {
namespace {

LaunchCall with_values(LaunchCall call, void* const* arguments) {
  call.arguments = arguments;
  return call;
}

LaunchCall cooperative(LaunchCall call) {
  call.is_cooperative = true;
  return call;
}

/// What hipConfigureCall has begun, with the arguments so far, on this thread.
struct Call {
  LaunchCall launch;
  Bytes arguments;
};
thread_local std::vector<Call> calls;

}  // namespace
}  // namespace compass::capture

using namespace compass::capture;  // NOLINT: the hooks are HIP's names, in no namespace
using compass::hip::Dim3;
using compass::hip::Event;
using compass::hip::LaunchConfig;
using compass::hip::Stream;

int hipLaunchKernel(const void* host_function, Dim3 grid_workgroups, Dim3 workgroup_workitems,
                    void** arguments, std::size_t dynamic_lds_bytes, Stream stream) {
  const LaunchCall call = launch_of(host_function, sizes_of(grid_workgroups),
                                    sizes_of(workgroup_workitems), dynamic_lds_bytes, stream);
  return observe_launch<&::hipLaunchKernel>(with_values(call, arguments), {}, host_function,
                                            grid_workgroups, workgroup_workitems, arguments,
                                            dynamic_lds_bytes, stream);
}

int hipLaunchKernel_spt(const void* host_function, Dim3 grid_workgroups, Dim3 workgroup_workitems,
                        void** arguments, std::size_t dynamic_lds_bytes, Stream stream) {
  const LaunchCall call =
      launch_of(host_function, sizes_of(grid_workgroups), sizes_of(workgroup_workitems),
                dynamic_lds_bytes, compass::hip::per_thread(stream));
  return observe_launch<&::hipLaunchKernel_spt>(with_values(call, arguments), {}, host_function,
                                                grid_workgroups, workgroup_workitems, arguments,
                                                dynamic_lds_bytes, stream);
}

int hipExtLaunchKernel(const void* host_function, Dim3 grid_workgroups, Dim3 workgroup_workitems,
                       void** arguments, std::size_t dynamic_lds_bytes, Stream stream, Event start,
                       Event stop, int flags) {
  const LaunchCall call = launch_of(host_function, sizes_of(grid_workgroups),
                                    sizes_of(workgroup_workitems), dynamic_lds_bytes, stream);
  return observe_launch<&::hipExtLaunchKernel>(
      with_values(call, arguments), {start, stop}, host_function, grid_workgroups,
      workgroup_workitems, arguments, dynamic_lds_bytes, stream, start, stop, flags);
}

int hipLaunchKernelExC(const LaunchConfig* config, const void* host_function, void** arguments) {
  LaunchCall call;
  if (config != nullptr) {
    call =
        launch_of(host_function, sizes_of(config->grid_workgroups),
                  sizes_of(config->workgroup_workitems), config->dynamic_lds_bytes, config->stream);
    call.is_cooperative = asks_for_cooperation(config->attributes, config->attribute_count);
  }
  return observe_launch<&::hipLaunchKernelExC>(with_values(call, arguments), {}, config,
                                               host_function, arguments);
}

int hipLaunchCooperativeKernel(const void* host_function, Dim3 grid_workgroups,
                               Dim3 workgroup_workitems, void** arguments,
                               unsigned dynamic_lds_bytes, Stream stream) {
  const LaunchCall call = launch_of(host_function, sizes_of(grid_workgroups),
                                    sizes_of(workgroup_workitems), dynamic_lds_bytes, stream);
  return observe_launch<&::hipLaunchCooperativeKernel>(
      cooperative(with_values(call, arguments)), {}, host_function, grid_workgroups,
      workgroup_workitems, arguments, dynamic_lds_bytes, stream);
}

int hipLaunchCooperativeKernel_spt(const void* host_function, Dim3 grid_workgroups,
                                   Dim3 workgroup_workitems, void** arguments,
                                   unsigned dynamic_lds_bytes, Stream stream) {
  const LaunchCall call =
      launch_of(host_function, sizes_of(grid_workgroups), sizes_of(workgroup_workitems),
                dynamic_lds_bytes, compass::hip::per_thread(stream));
  return observe_launch<&::hipLaunchCooperativeKernel_spt>(
      cooperative(with_values(call, arguments)), {}, host_function, grid_workgroups,
      workgroup_workitems, arguments, dynamic_lds_bytes, stream);
}

int hipConfigureCall(Dim3 grid_workgroups, Dim3 workgroup_workitems, std::size_t dynamic_lds_bytes,
                     Stream stream) {
  return observe<&::hipConfigureCall>(
      [=](Recorder&) {
        calls.push_back({launch_of(nullptr, sizes_of(grid_workgroups),
                                   sizes_of(workgroup_workitems), dynamic_lds_bytes, stream),
                         {}});
      },
      grid_workgroups, workgroup_workitems, dynamic_lds_bytes, stream);
}

int hipSetupArgument(const void* argument, std::size_t size_bytes, std::size_t offset_bytes) {
  return observe<&::hipSetupArgument>(
      [=](Recorder&) {
        if (calls.empty()) return;
        compass::Bytes& arguments = calls.back().arguments;
        arguments.resize(std::max(arguments.size(), offset_bytes + size_bytes));
        std::copy_n(static_cast<const std::byte*>(argument), size_bytes,
                    arguments.begin() + static_cast<std::ptrdiff_t>(offset_bytes));
      },
      argument, size_bytes, offset_bytes);
}

int hipLaunchByPtr(const void* host_function) {
  Call call;
  if (call_depth == 0 && !calls.empty()) {
    call = std::move(calls.back());
    calls.pop_back();
  }
  call.launch.host_function = number_of(host_function);
  call.launch.packed = call.arguments;
  return observe_launch<&::hipLaunchByPtr>(call.launch, {}, host_function);
}
