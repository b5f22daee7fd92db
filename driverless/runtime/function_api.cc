// SPDX-License-Identifier: MIT
#include <optional>

#include "driverless/runtime/api.h"
#include "driverless/runtime/kernel_operation.h"

namespace compass::hip {
namespace {

constexpr int kPtxVersion = 30;
constexpr int kMostCacheConfig = 3;
constexpr int kMostBankSize = 2;

/// 94 of "gfx942".
int binary_version_of(const arch::Architecture& architecture) {
  return (architecture.name[3] - '0') * 10 + (architecture.name[4] - '0');
}

FunctionAttributes attributes_of(const arch::Architecture& architecture, const Kernel& kernel) {
  FunctionAttributes attributes{};
  attributes.binary_version = binary_version_of(architecture);
  attributes.ptx_version = kPtxVersion;
  attributes.scratch_bytes = kernel.scratch_size_bytes;
  attributes.max_dynamic_lds_bytes = static_cast<int>(
      architecture.lds_bytes - std::min(architecture.lds_bytes, kernel.lds_size_bytes));
  attributes.max_workgroup_workitems = static_cast<int>(
      std::min(architecture.max_workgroup_workitems, kernel.max_workgroup_workitems));
  attributes.registers = static_cast<int>(kernel.vgpr_count);
  attributes.lds_bytes = kernel.lds_size_bytes;
  return attributes;
}

std::optional<int> value_of(const FunctionAttributes& attributes, FunctionAttribute attribute) {
  switch (attribute) {
    case kFunctionMaxThreadsPerBlock:
      return attributes.max_workgroup_workitems;
    case kFunctionSharedSizeBytes:
      return static_cast<int>(attributes.lds_bytes);
    case kFunctionConstSizeBytes:
      return static_cast<int>(attributes.constant_bytes);
    case kFunctionLocalSizeBytes:
      return static_cast<int>(attributes.scratch_bytes);
    case kFunctionNumRegs:
      return attributes.registers;
    case kFunctionPtxVersion:
      return attributes.ptx_version;
    case kFunctionBinaryVersion:
      return attributes.binary_version;
    case kFunctionCacheModeCa:
      return attributes.cache_mode_ca;
    case kFunctionMaxDynamicSharedSizeBytes:
      return attributes.max_dynamic_lds_bytes;
    case kFunctionPreferredSharedMemoryCarveout:
      return attributes.preferred_lds_carveout;
  }
  return std::nullopt;
}

/// Runs `body` with the kernel that the program names by `function`.
template <class Body>
Error with_kernel(const void* function, Body body) {
  return with_device([&](Device& device) {
    const FoundKernel found = find_kernel(device, function, device.ordinal);
    if (found.error != kSuccess) return found.error;
    return body(device.platform.agent.architecture(), Agent::metadata(*found.kernel));
  });
}

}  // namespace

Error hipFuncGetAttributes(FunctionAttributes* attributes, const void* function) {
  if (attributes == nullptr) return note_error(kErrorInvalidValue);
  return with_kernel(function, [&](const arch::Architecture& architecture, const Kernel& kernel) {
    *attributes = attributes_of(architecture, kernel);
    return kSuccess;
  });
}

Error hipFuncGetAttribute(int* value, FunctionAttribute attribute, Function function) {
  if (value == nullptr) return note_error(kErrorInvalidValue);
  return with_kernel(function, [&](const arch::Architecture& architecture, const Kernel& kernel) {
    const std::optional<int> known = value_of(attributes_of(architecture, kernel), attribute);
    if (!known) return kErrorInvalidValue;
    *value = *known;
    return kSuccess;
  });
}

// A launch may take all the LDS there is in any case, so a value only has to be possible.
Error hipFuncSetAttribute(const void* function, int attribute, int value) {
  return with_kernel(function, [&](const arch::Architecture& architecture, const Kernel& kernel) {
    switch (attribute) {
      case kFunctionMaxDynamicSharedSizeBytes: {
        const int most = attributes_of(architecture, kernel).max_dynamic_lds_bytes;
        return value >= 0 && value <= most ? kSuccess : kErrorInvalidValue;
      }
      case kFunctionPreferredSharedMemoryCarveout:
        return value >= -1 && value <= 100 ? kSuccess : kErrorInvalidValue;
      default:
        return kErrorInvalidValue;
    }
  });
}

// LDS and caches are apart, and banks have one width.
Error hipFuncSetCacheConfig(const void* function, int config) {
  return with_kernel(function, [&](const arch::Architecture&, const Kernel&) {
    return config >= 0 && config <= kMostCacheConfig ? kSuccess : kErrorInvalidValue;
  });
}

Error hipFuncSetSharedMemConfig(const void* function, int config) {
  return with_kernel(function, [&](const arch::Architecture&, const Kernel&) {
    return config >= 0 && config <= kMostBankSize ? kSuccess : kErrorInvalidValue;
  });
}

Error hipGetFuncBySymbol(Function* function, const void* symbol) {
  return with_device([&](Device& device) {
    if (function == nullptr) return kErrorInvalidValue;
    if (Runtime::get().fat_binaries().find_function(symbol) == nullptr) {
      return kErrorInvalidDeviceFunction;
    }
    FoundKernel found = find_kernel(device, symbol, device.ordinal);
    if (found.error != kSuccess) return found.error;
    *function = device.platform.modules.function_of(
        symbol, {.kernel = std::move(found.kernel), .device_ordinal = device.ordinal});
    return kSuccess;
  });
}

// Names live as long as the code that has them; empty where there is no such function.
const char* hipKernelNameRef(Function function) {
  const char* name = "";
  static_cast<void>(with_kernel(function, [&](const arch::Architecture&, const Kernel& kernel) {
    name = kernel.name.c_str();
    return kSuccess;
  }));
  return name;
}

const char* hipKernelNameRefByPtr(const void* function, Stream) {
  Runtime& runtime = Runtime::get();
  const std::lock_guard lock(runtime.mutex());
  const RegisteredFunction* const registered = runtime.fat_binaries().find_function(function);
  return registered == nullptr ? "" : registered->kernel.c_str();
}

}  // namespace compass::hip
