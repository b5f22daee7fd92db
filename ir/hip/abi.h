// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>

/// The part of HIP's binary interface that this project speaks, as of HIP 6 and 7: what capture
/// hooks, what the driverless runtime offers, what HipBackend calls. Values are the interface's.
namespace compass::hip {

/// hipError_t. HIP 7 is the newest that is known here.
enum Error : int {
  kSuccess = 0,
  kErrorInvalidValue = 1,
  kErrorOutOfMemory = 2,
  kErrorNotInitialized = 3,
  kErrorDeinitialized = 4,
  kErrorProfilerDisabled = 5,
  kErrorProfilerNotInitialized = 6,
  kErrorProfilerAlreadyStarted = 7,
  kErrorProfilerAlreadyStopped = 8,
  kErrorInvalidConfiguration = 9,
  kErrorInvalidPitchValue = 12,
  kErrorInvalidSymbol = 13,
  kErrorInvalidDevicePointer = 17,
  kErrorInvalidMemcpyDirection = 21,
  kErrorInsufficientDriver = 35,
  kErrorMissingConfiguration = 52,
  kErrorPriorLaunchFailure = 53,
  kErrorInvalidDeviceFunction = 98,
  kErrorNoDevice = 100,
  kErrorInvalidDevice = 101,
  kErrorInvalidImage = 200,
  kErrorInvalidContext = 201,
  kErrorContextAlreadyCurrent = 202,
  kErrorMapFailed = 205,
  kErrorUnmapFailed = 206,
  kErrorArrayIsMapped = 207,
  kErrorAlreadyMapped = 208,
  kErrorNoBinaryForGpu = 209,
  kErrorAlreadyAcquired = 210,
  kErrorNotMapped = 211,
  kErrorNotMappedAsArray = 212,
  kErrorNotMappedAsPointer = 213,
  kErrorECCNotCorrectable = 214,
  kErrorUnsupportedLimit = 215,
  kErrorContextAlreadyInUse = 216,
  kErrorPeerAccessUnsupported = 217,
  kErrorInvalidKernelFile = 218,
  kErrorInvalidGraphicsContext = 219,
  kErrorInvalidSource = 300,
  kErrorFileNotFound = 301,
  kErrorSharedObjectSymbolNotFound = 302,
  kErrorSharedObjectInitFailed = 303,
  kErrorOperatingSystem = 304,
  kErrorInvalidHandle = 400,
  kErrorIllegalState = 401,
  kErrorNotFound = 500,
  kErrorNotReady = 600,
  kErrorIllegalAddress = 700,
  kErrorLaunchOutOfResources = 701,
  kErrorLaunchTimeOut = 702,
  kErrorPeerAccessAlreadyEnabled = 704,
  kErrorPeerAccessNotEnabled = 705,
  kErrorSetOnActiveProcess = 708,
  kErrorContextIsDestroyed = 709,
  kErrorAssert = 710,
  kErrorHostMemoryAlreadyRegistered = 712,
  kErrorHostMemoryNotRegistered = 713,
  kErrorLaunchFailure = 719,
  kErrorCooperativeLaunchTooLarge = 720,
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
  kErrorInvalidChannelDescriptor = 911,
  kErrorInvalidTexture = 912,
  kErrorUnknown = 999,
  kErrorRuntimeMemory = 1052,
  kErrorRuntimeOther = 1053,
  kErrorTbd = 1054,
};

enum MemcpyKind : unsigned {
  kMemcpyHostToHost = 0,
  kMemcpyHostToDevice = 1,
  kMemcpyDeviceToHost = 2,
  kMemcpyDeviceToDevice = 3,
  kMemcpyDefault = 4,
  kMemcpyDeviceToDeviceNoCu = 1024,  ///< without compute units; else as kMemcpyDeviceToDevice
};

/// hipUUID.
struct Uuid {
  char bytes[16];
};

struct Dim3 {
  std::uint32_t x = 1, y = 1, z = 1;
};

using Stream = struct StreamObject*;    ///< hipStream_t; null is the legacy default stream
using Event = struct EventObject*;      ///< hipEvent_t
using Context = struct ContextObject*;  ///< hipCtx_t
using HostFunction = void (*)(void* user_data);
using StreamCallback = void (*)(Stream stream, Error status, void* user_data);

/// hipStreamLegacy and hipStreamPerThread: handles with a meaning of their own.
inline constexpr std::uint64_t kStreamLegacy = 1;
inline constexpr std::uint64_t kStreamPerThread = 2;

/// The calling thread's own default stream.
inline Stream per_thread_stream() {
  return reinterpret_cast<Stream>(kStreamPerThread);  // NOLINT(performance-no-int-to-ptr)
}
/// A stream as the `_spt` calls name it: the legacy stream is the thread's own default stream.
inline Stream per_thread(Stream stream) {
  const bool is_legacy = reinterpret_cast<std::uint64_t>(stream) <= kStreamLegacy;
  return is_legacy ? per_thread_stream() : stream;
}

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
