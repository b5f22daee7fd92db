// SPDX-License-Identifier: MIT
#pragma once

#include "ir/hip/abi.h"

/// The part of HIP's binary interface that is about graphs and stream capture, as of HIP 6 and 7.
namespace compass::hip {

using Graph = struct GraphObject*;          ///< hipGraph_t
using GraphNode = struct GraphNodeObject*;  ///< hipGraphNode_t
using GraphExec = struct GraphExecObject*;  ///< hipGraphExec_t

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

}  // namespace compass::hip
