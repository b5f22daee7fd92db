// SPDX-License-Identifier: MIT
#include "driverless/runtime/launch.h"

#include <limits>
#include <utility>

#include "driverless/runtime/kernarg.h"
#include "driverless/runtime/notice.h"

namespace compass {
namespace {

std::array<std::uint32_t, 3> sizes_of(hip::Dim3 size) { return {size.x, size.y, size.z}; }

}  // namespace

hip::Error check_sizes(const arch::Architecture& architecture, const Kernel& kernel,
                       const LaunchConfiguration& configuration) {
  const auto grid = sizes_of(configuration.grid_workgroups);
  const auto workgroup = sizes_of(configuration.workgroup_workitems);
  std::uint64_t workitems = 1;
  for (std::size_t i = 0; i < 3; ++i) {
    const std::uint64_t along = std::uint64_t{grid[i]} * workgroup[i];
    if (along == 0 || along > std::numeric_limits<std::uint32_t>::max() ||
        workgroup[i] > architecture.max_workgroup_workitems) {
      return hip::kErrorInvalidConfiguration;
    }
    workitems *= workgroup[i];
  }
  if (workitems > architecture.max_workgroup_workitems ||
      workitems > kernel.max_workgroup_workitems) {
    return hip::kErrorInvalidConfiguration;
  }
  if (kernel.lds_size_bytes > architecture.lds_bytes ||
      configuration.dynamic_lds_bytes > architecture.lds_bytes - kernel.lds_size_bytes) {
    return hip::kErrorInvalidConfiguration;
  }
  return hip::kSuccess;
}

hip::Error make_launch(std::shared_ptr<const LoadedKernel> kernel,
                       const LaunchConfiguration& configuration, const LaunchArguments& arguments,
                       KernelOperation& operation) {
  const Kernel& metadata = Agent::metadata(*kernel);
  Result<Bytes> kernarg = arguments.values == nullptr && !arguments.packed.empty()
                              ? take_kernarg(metadata, arguments.packed)
                              : pack_kernarg(metadata, arguments.values);
  if (!kernarg) {
    notice_once(kernarg.error().message);
    return kernarg.error().code == ErrorCode::kInvalid ? hip::kErrorInvalidValue
                                                       : hip::kErrorNotSupported;
  }
  operation = {.kernel = std::move(kernel),
               .grid_workgroups = sizes_of(configuration.grid_workgroups),
               .workgroup_workitems = sizes_of(configuration.workgroup_workitems),
               .dynamic_lds_bytes = static_cast<std::uint32_t>(configuration.dynamic_lds_bytes),
               .explicit_kernarg = std::move(kernarg).value()};
  return hip::kSuccess;
}

}  // namespace compass
