// SPDX-License-Identifier: MIT
#include <memory>
#include <utility>
#include <vector>

#include "driverless/runtime/api.h"
#include "driverless/runtime/kernel_operation.h"
#include "driverless/runtime/runtime.h"
#include "driverless/runtime/submit.h"

namespace compass::hip {
namespace {

/// What `<<<>>>` has pushed and the kernel's host stub has not popped yet.
thread_local std::vector<LaunchConfiguration> configurations;

Error launch_on(Device& device, const void* function, const LaunchConfiguration& configuration,
                void** arguments) {
  const std::shared_ptr<Queue> queue = find_queue(device, configuration.stream);
  if (queue == nullptr) return kErrorInvalidHandle;
  KernelOperation operation;
  const Error error = make_kernel_operation(device, queue->device_ordinal, function, configuration,
                                            {.values = arguments}, operation);
  return error == kSuccess ? submit(device, configuration.stream, std::move(operation)) : error;
}

}  // namespace

Error hipLaunchKernel(const void* function, Dim3 grid_workgroups, Dim3 workgroup_workitems,
                      void** arguments, std::size_t dynamic_lds_bytes, Stream stream) {
  return with_device([&](Device& device) {
    return launch_on(device, function,
                     {grid_workgroups, workgroup_workitems, dynamic_lds_bytes, stream}, arguments);
  });
}

Error __hipPushCallConfiguration(Dim3 grid_workgroups, Dim3 workgroup_workitems,
                                 std::size_t dynamic_lds_bytes, Stream stream) {
  configurations.push_back({grid_workgroups, workgroup_workitems, dynamic_lds_bytes, stream});
  return kSuccess;
}

Error __hipPopCallConfiguration(Dim3* grid_workgroups, Dim3* workgroup_workitems,
                                std::size_t* dynamic_lds_bytes, Stream* stream) {
  if (configurations.empty()) return note_error(kErrorMissingConfiguration);
  const LaunchConfiguration configuration = configurations.back();
  configurations.pop_back();
  if (grid_workgroups != nullptr) *grid_workgroups = configuration.grid_workgroups;
  if (workgroup_workitems != nullptr) *workgroup_workitems = configuration.workgroup_workitems;
  if (dynamic_lds_bytes != nullptr) *dynamic_lds_bytes = configuration.dynamic_lds_bytes;
  if (stream != nullptr) *stream = configuration.stream;
  return kSuccess;
}

}  // namespace compass::hip
