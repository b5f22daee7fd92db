// SPDX-License-Identifier: MIT
#include <cstring>
#include <vector>

#include "driverless/runtime/api.h"
#include "driverless/runtime/launches.h"

namespace compass::hip {
namespace {

/// What `<<<>>>` has pushed and the kernel's host stub has not popped yet.
thread_local std::vector<LaunchConfiguration> configurations;

/// What hipConfigureCall has begun, with the arguments so far.
struct Call {
  LaunchConfiguration configuration;
  Bytes arguments;
};
thread_local std::vector<Call> calls;

// More than any kernel takes.
constexpr std::size_t kMostArgumentBytes = std::size_t{1} << 20;

}  // namespace

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

Error hipConfigureCall(Dim3 grid_workgroups, Dim3 workgroup_workitems,
                       std::size_t dynamic_lds_bytes, Stream stream) {
  calls.push_back(
      {{grid_workgroups, workgroup_workitems, dynamic_lds_bytes, stream}, /*arguments=*/{}});
  return note_error(kSuccess);
}

Error hipSetupArgument(const void* argument, std::size_t size_bytes, std::size_t offset_bytes) {
  if (calls.empty()) return note_error(kErrorMissingConfiguration);
  if (argument == nullptr || size_bytes > kMostArgumentBytes ||
      offset_bytes > kMostArgumentBytes - size_bytes) {
    return note_error(kErrorInvalidValue);
  }
  Bytes& arguments = calls.back().arguments;
  arguments.resize(std::max(arguments.size(), offset_bytes + size_bytes));
  if (size_bytes > 0) std::memcpy(arguments.data() + offset_bytes, argument, size_bytes);
  return note_error(kSuccess);
}

Error hipLaunchByPtr(const void* function) {
  if (calls.empty()) return note_error(kErrorMissingConfiguration);
  const Call call = std::move(calls.back());
  calls.pop_back();
  return with_device([&](Device& device) {
    return launch_on(device, function, call.configuration,
                     {.values = nullptr, .packed = call.arguments});
  });
}

}  // namespace compass::hip
