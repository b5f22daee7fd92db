// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>

/// The part of HIP's binary interface that this project speaks, as of HIP 6 and 7: what capture
/// hooks, what the driverless runtime offers, what HipBackend calls. Values are the interface's.
namespace compass::hip {

enum Error : int {
  kSuccess = 0,
  kErrorInvalidValue = 1,
  kErrorOutOfMemory = 2,
  kErrorNotInitialized = 3,
  kErrorInvalidConfiguration = 9,
  kErrorInvalidPitchValue = 12,
  kErrorInvalidMemcpyDirection = 21,
  kErrorMissingConfiguration = 52,
  kErrorInvalidDeviceFunction = 98,
  kErrorNoDevice = 100,
  kErrorInvalidDevice = 101,
  kErrorInvalidImage = 200,
  kErrorInvalidKernelFile = 218,
  kErrorNoBinaryForGpu = 209,
  kErrorNotFound = 500,
  kErrorNotReady = 600,
  kErrorIllegalAddress = 700,
  kErrorInvalidHandle = 400,
  kErrorIllegalState = 401,
  kErrorContextIsDestroyed = 709,
  kErrorLaunchFailure = 719,
  kErrorNotPermitted = 800,
  kErrorNotSupported = 801,
  kErrorStreamCaptureUnsupported = 900,
  kErrorStreamCaptureInvalidated = 901,
  kErrorStreamCaptureMerge = 902,
  kErrorStreamCaptureUnmatched = 903,
  kErrorStreamCaptureUnjoined = 904,
  kErrorStreamCaptureIsolation = 905,
  kErrorStreamCaptureImplicit = 906,
  kErrorCapturedEvent = 907,
  kErrorStreamCaptureWrongThread = 908,
  kErrorGraphExecUpdateFailure = 910,
  kErrorUnknown = 999,
};

enum MemcpyKind : unsigned {
  kMemcpyHostToHost = 0,
  kMemcpyHostToDevice = 1,
  kMemcpyDeviceToHost = 2,
  kMemcpyDeviceToDevice = 3,
  kMemcpyDefault = 4,
};

struct Dim3 {
  std::uint32_t x = 1, y = 1, z = 1;
};

using Stream = struct StreamObject*;  ///< hipStream_t; null is the legacy default stream
using Event = struct EventObject*;    ///< hipEvent_t
using HostFunction = void (*)(void* user_data);
using StreamCallback = void (*)(Stream stream, Error status, void* user_data);

inline constexpr unsigned kEventDisableTiming = 2;
inline constexpr unsigned kStreamNonBlocking = 1;

/// What __hipRegisterFatBinary gets: the compiler's wrapper around a fat binary.
struct FatBinaryWrapper {
  std::uint32_t magic;  ///< kFatBinaryMagic
  std::uint32_t version;
  const void* binary;
  void* unused;
};
inline constexpr std::uint32_t kFatBinaryMagic = 0x48495046;  // "HIPF"

}  // namespace compass::hip
