// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

#include "ir/hip/abi.h"
#include "ir/hip/memory_abi.h"

/// The part of HIP's binary interface that is about graphs and stream capture, as of HIP 6 and 7.
namespace compass::hip {

using Graph = struct GraphObject*;            ///< hipGraph_t
using GraphNode = struct GraphNodeObject*;    ///< hipGraphNode_t
using GraphExec = struct GraphExecObject*;    ///< hipGraphExec_t
using UserObject = struct UserObjectObject*;  ///< hipUserObject_t

inline constexpr unsigned kUserObjectNoDestructorSync = 1;  ///< hipUserObjectCreate wants it
inline constexpr unsigned kGraphUserObjectMove = 1;         ///< of hipGraphRetainUserObject

/// hipStreamCaptureMode: which calls a capture forbids, and to whom.
enum StreamCaptureMode : int {
  kStreamCaptureModeGlobal = 0,
  kStreamCaptureModeThreadLocal = 1,
  kStreamCaptureModeRelaxed = 2,
};

enum StreamCaptureStatus : int {
  kStreamCaptureStatusNone = 0,
  kStreamCaptureStatusActive = 1,
  kStreamCaptureStatusInvalidated = 2,
};

/// Flags of hipStreamUpdateCaptureDependencies.
enum StreamUpdateCaptureDependencies : unsigned {
  kStreamAddCaptureDependencies = 0,
  kStreamSetCaptureDependencies = 1,
};

/// Flags of hipGraphInstantiateWithFlags.
inline constexpr unsigned long long kGraphInstantiateAutoFreeOnLaunch = 1;
inline constexpr unsigned long long kGraphInstantiateUpload = 2;
inline constexpr unsigned long long kGraphInstantiateDeviceLaunch = 4;
inline constexpr unsigned long long kGraphInstantiateUseNodePriority = 8;

/// Flags of hipEventRecordWithFlags and hipStreamWaitEvent: the event is a node of its own.
inline constexpr unsigned kEventRecordExternal = 1;
inline constexpr unsigned kEventWaitExternal = 1;

/// hipGraphNodeType.
enum GraphNodeType : int {
  kGraphNodeKernel = 0,
  kGraphNodeMemcpy = 1,
  kGraphNodeMemset = 2,
  kGraphNodeHost = 3,
  kGraphNodeGraph = 4,
  kGraphNodeEmpty = 5,
  kGraphNodeWaitEvent = 6,
  kGraphNodeEventRecord = 7,
  kGraphNodeMemAlloc = 10,
  kGraphNodeMemFree = 11,
  kGraphNodeBatchMemOp = 14,
};

struct KernelNodeParams {
  Dim3 workgroup_workitems;
  void** extra;
  void* function;  ///< of the host's code, or a hipFunction_t
  Dim3 grid_workgroups;
  void** arguments;
  unsigned dynamic_lds_bytes;
};
static_assert(sizeof(KernelNodeParams) == 64);

struct MemsetParams {
  void* to;
  unsigned element_bytes;
  std::size_t height;
  std::size_t pitch_bytes;
  unsigned value;
  std::size_t width;  ///< in elements
};
static_assert(sizeof(MemsetParams) == 48);

struct HostNodeParams {
  HostFunction function;
  void* user_data;
};

struct MemAllocNodeParams {
  MemPoolProps properties;
  const MemAccessDesc* accesses;
  std::size_t access_count;
  std::size_t size_bytes;
  void* pointer;  ///< given back
};
static_assert(sizeof(MemAllocNodeParams) == 120);

enum GraphMemAttribute : int {
  kGraphMemUsedCurrent = 0,
  kGraphMemUsedHigh = 1,
  kGraphMemReservedCurrent = 2,
  kGraphMemReservedHigh = 3,
};

/// hipGraphNodeParams: the parameters of a node of any type.
struct GraphNodeParams {
  GraphNodeType type;
  int reserved[3];
  union {
    long long room[29];
    KernelNodeParams kernel;
    struct {
      int flags;  // 0
      int reserved[3];
      Memcpy3DParms parameters;
    } copy;
    MemsetParams fill;
    HostNodeParams host;
    Graph child;
    Event event;  // to record, or to wait for
    MemAllocNodeParams allocation;
    void* freed;
  };
  long long reserved_too;
};
static_assert(sizeof(GraphNodeParams) == 256);

/// hipKernelNodeAttrID: what a kernel's node may say besides its parameters.
enum KernelNodeAttribute : int {
  kKernelNodeAccessPolicyWindow = 1,
  kKernelNodeCooperative = 2,
  kKernelNodePriority = 8,
};

struct AccessPolicyWindow {
  void* base;
  int hit_property;
  float hit_ratio;
  int miss_property;
  std::size_t size_bytes;
};

enum GraphExecUpdateResult : int {
  kGraphExecUpdateSuccess = 0,
  kGraphExecUpdateError = 1,
  kGraphExecUpdateErrorTopologyChanged = 2,
  kGraphExecUpdateErrorNodeTypeChanged = 3,
  kGraphExecUpdateErrorFunctionChanged = 4,
  kGraphExecUpdateErrorParametersChanged = 5,
  kGraphExecUpdateErrorNotSupported = 6,
  kGraphExecUpdateErrorUnsupportedFunctionChange = 7,
};

enum GraphInstantiateResult : int {
  kGraphInstantiateSuccess = 0,
  kGraphInstantiateError = 1,
  kGraphInstantiateInvalidStructure = 2,
};

struct GraphInstantiateParams {
  GraphNode error_node;
  unsigned long long flags;
  GraphInstantiateResult result;
  Stream upload_stream;
};
static_assert(sizeof(GraphInstantiateParams) == 32);

}  // namespace compass::hip
