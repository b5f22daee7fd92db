// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>

#include "ir/hip/abi.h"

/// The structures and constants of HIP's calls for modules, functions and launches. Layouts and
/// values are the interface's.
namespace compass::hip {

using Module = struct ModuleObject*;      ///< hipModule_t
using Function = struct FunctionObject*;  ///< hipFunction_t; hipKernel_t
using Library = struct LibraryObject*;    ///< hipLibrary_t

struct FunctionAttributes {
  int binary_version;
  int cache_mode_ca;
  std::size_t constant_bytes;
  std::size_t scratch_bytes;  ///< of a work-item
  int max_dynamic_lds_bytes;
  int max_workgroup_workitems;
  int registers;
  int preferred_lds_carveout;
  int ptx_version;
  std::size_t lds_bytes;  ///< static
};
static_assert(sizeof(FunctionAttributes) == 56);

/// hipFunction_attribute.
enum FunctionAttribute : int {
  kFunctionMaxThreadsPerBlock = 0,
  kFunctionSharedSizeBytes = 1,
  kFunctionConstSizeBytes = 2,
  kFunctionLocalSizeBytes = 3,
  kFunctionNumRegs = 4,
  kFunctionPtxVersion = 5,
  kFunctionBinaryVersion = 6,
  kFunctionCacheModeCa = 7,
  kFunctionMaxDynamicSharedSizeBytes = 8,
  kFunctionPreferredSharedMemoryCarveout = 9,
};

/// hipLaunchParams.
struct LaunchParams {
  void* function;
  Dim3 grid_workgroups;
  Dim3 workgroup_workitems;
  void** arguments;
  std::size_t dynamic_lds_bytes;
  Stream stream;
};

/// hipFunctionLaunchParams.
struct FunctionLaunchParams {
  Function function;
  std::uint32_t grid_workgroups[3];
  std::uint32_t workgroup_workitems[3];
  std::uint32_t dynamic_lds_bytes;
  Stream stream;
  void** arguments;
};

/// HIP_LAUNCH_PARAM_BUFFER_POINTER, _BUFFER_SIZE and _END: keys of a launch's `extra`.
inline constexpr std::uint64_t kLaunchParamBufferPointer = 1;
inline constexpr std::uint64_t kLaunchParamBufferSize = 2;
inline constexpr std::uint64_t kLaunchParamEnd = 3;

inline constexpr int kLaunchAttributeCooperative = 2;

/// hipLaunchAttribute.
struct LaunchAttribute {
  int id;
  int unused;
  union {
    int cooperative;
    unsigned char bytes[64];
  };
};
static_assert(sizeof(LaunchAttribute) == 72);

/// hipLaunchConfig_t.
struct LaunchConfig {
  Dim3 grid_workgroups;
  Dim3 workgroup_workitems;
  std::size_t dynamic_lds_bytes;
  Stream stream;
  const LaunchAttribute* attributes;
  unsigned attribute_count;
};

/// HIP_LAUNCH_CONFIG.
struct DriverLaunchConfig {
  std::uint32_t grid_workgroups[3];
  std::uint32_t workgroup_workitems[3];
  std::uint32_t dynamic_lds_bytes;
  Stream stream;
  const LaunchAttribute* attributes;
  unsigned attribute_count;
};

}  // namespace compass::hip
