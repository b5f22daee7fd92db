// SPDX-License-Identifier: MIT
#include "driverless/runtime/kernel_operation.h"

#include <utility>

namespace compass {
namespace {

FoundKernel find_in_modules(Device& device, const void* function, int device_ordinal) {
  const auto handle = reinterpret_cast<hip::Function>(const_cast<void*>(function));
  const FunctionState* const state = device.platform.modules.find(handle);
  if (state == nullptr) return {.kernel = nullptr, .error = hip::kErrorInvalidDeviceFunction};
  if (state->device_ordinal != device_ordinal) {
    return {.kernel = nullptr, .error = hip::kErrorInvalidDevice};
  }
  return {.kernel = state->kernel};
}

}  // namespace

FoundKernel find_kernel(Device& device, const void* function, int device_ordinal) {
  RegisteredFunction* const known = Runtime::get().fat_binaries().find_function(function);
  if (known == nullptr) return find_in_modules(device, function, device_ordinal);
  return find_kernel(*known, code_target(device.platform, device_ordinal));
}

hip::Error make_kernel_operation(Device& device, int device_ordinal, const void* function,
                                 const LaunchConfiguration& configuration,
                                 const LaunchArguments& arguments, KernelOperation& operation) {
  FoundKernel found = find_kernel(device, function, device_ordinal);
  if (found.error != hip::kSuccess) return found.error;
  const Kernel& kernel = Agent::metadata(*found.kernel);
  hip::Error error = check_sizes(device.platform.agent.architecture(), kernel, configuration);
  if (error != hip::kSuccess) return error;
  error = make_launch(std::move(found.kernel), configuration, arguments, operation);
  operation.function = function;
  return error;
}

hip::Error read_extra(void** extra, LaunchArguments& arguments) {
  const void* buffer = nullptr;
  const std::size_t* size_bytes = nullptr;
  for (; reinterpret_cast<std::uintptr_t>(*extra) != hip::kLaunchParamEnd; extra += 2) {
    const auto key = reinterpret_cast<std::uintptr_t>(*extra);
    if (key == hip::kLaunchParamBufferPointer) {
      buffer = extra[1];
    } else if (key == hip::kLaunchParamBufferSize) {
      size_bytes = static_cast<const std::size_t*>(extra[1]);
    } else {
      return hip::kErrorInvalidValue;
    }
  }
  if (buffer == nullptr || size_bytes == nullptr) return hip::kErrorInvalidValue;
  arguments.packed = {static_cast<const std::byte*>(buffer), *size_bytes};
  return hip::kSuccess;
}

}  // namespace compass
