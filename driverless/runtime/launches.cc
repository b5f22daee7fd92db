// SPDX-License-Identifier: MIT
#include "driverless/runtime/launches.h"

#include <utility>

#include "driverless/runtime/event_record.h"
#include "driverless/runtime/occupancy.h"
#include "driverless/runtime/submit.h"

namespace compass {
namespace {

/// All workgroups of a cooperative launch must be on the device together.
hip::Error check_fits(const arch::Architecture& architecture, const KernelOperation& operation) {
  const auto& size = operation.workgroup_workitems;
  const auto& grid = operation.grid_workgroups;
  const Occupancy occupancy(architecture, Agent::metadata(*operation.kernel),
                            operation.dynamic_lds_bytes);
  const std::uint64_t most = std::uint64_t{architecture.compute_units} *
                             occupancy.workgroups_per_compute_unit(size[0] * size[1] * size[2]);
  // Of two axes, no number of 64 bits can be too small; the third might make it so.
  const std::uint64_t plane = std::uint64_t{grid[0]} * grid[1];
  const bool fits = plane <= most && plane * grid[2] <= most;
  return fits ? hip::kSuccess : hip::kErrorCooperativeLaunchTooLarge;
}

bool is_event(Platform& platform, hip::Event event) {
  return event == nullptr || platform.events.find(event) != nullptr;
}

}  // namespace

hip::Error launch_on(Device& device, const void* function, const LaunchConfiguration& configuration,
                     const LaunchArguments& arguments, const LaunchOptions& options) {
  Platform& platform = device.platform;
  const hip::Stream stream = configuration.stream;
  const std::shared_ptr<Queue> queue = find_queue(device, stream);
  if (queue == nullptr || !is_event(platform, options.start) || !is_event(platform, options.stop)) {
    return hip::kErrorInvalidHandle;
  }
  KernelOperation operation;
  hip::Error error = make_kernel_operation(device, queue->device_ordinal, function, configuration,
                                           arguments, operation);
  if (error == hip::kSuccess && options.is_cooperative) {
    operation.is_cooperative = true;
    error = check_fits(platform.agent.architecture(), operation);
  }
  if (error == hip::kSuccess && options.start != nullptr) {
    error = record_event(device, options.start, stream, 0);
  }
  if (error == hip::kSuccess) error = submit(platform, queue, std::move(operation));
  if (error == hip::kSuccess && options.stop != nullptr) {
    error = record_event(device, options.stop, stream, 0);
  }
  return error;
}

}  // namespace compass
