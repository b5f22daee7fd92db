// SPDX-License-Identifier: MIT
#include "driverless/runtime/error_texts.h"

#include <algorithm>
#include <iterator>

namespace compass {
namespace {

struct ErrorText {
  hip::Error error;
  const char* name;
  const char* text;
};

// By number.
constexpr ErrorText kErrorTexts[] = {
    {hip::kSuccess, "hipSuccess", "no error"},
    {hip::kErrorInvalidValue, "hipErrorInvalidValue", "invalid argument"},
    {hip::kErrorOutOfMemory, "hipErrorOutOfMemory", "out of memory"},
    {hip::kErrorNotInitialized, "hipErrorNotInitialized", "initialization error"},
    {hip::kErrorDeinitialized, "hipErrorDeinitialized", "driver shutting down"},
    {hip::kErrorProfilerDisabled, "hipErrorProfilerDisabled",
     "profiler disabled while using external profiling tool"},
    {hip::kErrorProfilerNotInitialized, "hipErrorProfilerNotInitialized",
     "profiler is not initialized"},
    {hip::kErrorProfilerAlreadyStarted, "hipErrorProfilerAlreadyStarted",
     "profiler already started"},
    {hip::kErrorProfilerAlreadyStopped, "hipErrorProfilerAlreadyStopped",
     "profiler already stopped"},
    {hip::kErrorInvalidConfiguration, "hipErrorInvalidConfiguration",
     "invalid configuration argument"},
    {hip::kErrorInvalidPitchValue, "hipErrorInvalidPitchValue", "invalid pitch argument"},
    {hip::kErrorInvalidSymbol, "hipErrorInvalidSymbol", "invalid device symbol"},
    {hip::kErrorInvalidDevicePointer, "hipErrorInvalidDevicePointer", "invalid device pointer"},
    {hip::kErrorInvalidMemcpyDirection, "hipErrorInvalidMemcpyDirection",
     "invalid copy direction for memcpy"},
    {hip::kErrorInsufficientDriver, "hipErrorInsufficientDriver",
     "driver version is insufficient for runtime version"},
    {hip::kErrorMissingConfiguration, "hipErrorMissingConfiguration",
     "__global__ function call is not configured"},
    {hip::kErrorPriorLaunchFailure, "hipErrorPriorLaunchFailure",
     "unspecified launch failure in prior launch"},
    {hip::kErrorInvalidDeviceFunction, "hipErrorInvalidDeviceFunction", "invalid device function"},
    {hip::kErrorNoDevice, "hipErrorNoDevice", "no ROCm-capable device is detected"},
    {hip::kErrorInvalidDevice, "hipErrorInvalidDevice", "invalid device ordinal"},
    {hip::kErrorInvalidImage, "hipErrorInvalidImage", "device kernel image is invalid"},
    {hip::kErrorInvalidContext, "hipErrorInvalidContext", "invalid device context"},
    {hip::kErrorContextAlreadyCurrent, "hipErrorContextAlreadyCurrent",
     "context is already current context"},
    {hip::kErrorMapFailed, "hipErrorMapFailed", "mapping of buffer object failed"},
    {hip::kErrorUnmapFailed, "hipErrorUnmapFailed", "unmapping of buffer object failed"},
    {hip::kErrorArrayIsMapped, "hipErrorArrayIsMapped", "array is mapped"},
    {hip::kErrorAlreadyMapped, "hipErrorAlreadyMapped", "resource already mapped"},
    {hip::kErrorNoBinaryForGpu, "hipErrorNoBinaryForGpu",
     "no kernel image is available for execution on the device"},
    {hip::kErrorAlreadyAcquired, "hipErrorAlreadyAcquired", "resource already acquired"},
    {hip::kErrorNotMapped, "hipErrorNotMapped", "resource not mapped"},
    {hip::kErrorNotMappedAsArray, "hipErrorNotMappedAsArray", "resource not mapped as array"},
    {hip::kErrorNotMappedAsPointer, "hipErrorNotMappedAsPointer", "resource not mapped as pointer"},
    {hip::kErrorECCNotCorrectable, "hipErrorECCNotCorrectable",
     "uncorrectable ECC error encountered"},
    {hip::kErrorUnsupportedLimit, "hipErrorUnsupportedLimit",
     "limit is not supported on this architecture"},
    {hip::kErrorContextAlreadyInUse, "hipErrorContextAlreadyInUse",
     "exclusive-thread device already in use by a different thread"},
    {hip::kErrorPeerAccessUnsupported, "hipErrorPeerAccessUnsupported",
     "peer access is not supported between these two devices"},
    {hip::kErrorInvalidKernelFile, "hipErrorInvalidKernelFile", "invalid kernel file"},
    {hip::kErrorInvalidGraphicsContext, "hipErrorInvalidGraphicsContext",
     "invalid OpenGL or DirectX context"},
    {hip::kErrorInvalidSource, "hipErrorInvalidSource", "device kernel image is invalid"},
    {hip::kErrorFileNotFound, "hipErrorFileNotFound", "file not found"},
    {hip::kErrorSharedObjectSymbolNotFound, "hipErrorSharedObjectSymbolNotFound",
     "shared object symbol not found"},
    {hip::kErrorSharedObjectInitFailed, "hipErrorSharedObjectInitFailed",
     "shared object initialization failed"},
    {hip::kErrorOperatingSystem, "hipErrorOperatingSystem",
     "OS call failed or operation not supported on this OS"},
    {hip::kErrorInvalidHandle, "hipErrorInvalidHandle", "invalid resource handle"},
    {hip::kErrorIllegalState, "hipErrorIllegalState",
     "the operation cannot be performed in the present state"},
    {hip::kErrorNotFound, "hipErrorNotFound", "named symbol not found"},
    {hip::kErrorNotReady, "hipErrorNotReady", "device not ready"},
    {hip::kErrorIllegalAddress, "hipErrorIllegalAddress",
     "an illegal memory access was encountered"},
    {hip::kErrorLaunchOutOfResources, "hipErrorLaunchOutOfResources",
     "too many resources requested for launch"},
    {hip::kErrorLaunchTimeOut, "hipErrorLaunchTimeOut", "the launch timed out and was terminated"},
    {hip::kErrorPeerAccessAlreadyEnabled, "hipErrorPeerAccessAlreadyEnabled",
     "peer access is already enabled"},
    {hip::kErrorPeerAccessNotEnabled, "hipErrorPeerAccessNotEnabled",
     "peer access has not been enabled"},
    {hip::kErrorSetOnActiveProcess, "hipErrorSetOnActiveProcess",
     "cannot set while device is active in this process"},
    {hip::kErrorContextIsDestroyed, "hipErrorContextIsDestroyed", "context is destroyed"},
    {hip::kErrorAssert, "hipErrorAssert", "device-side assert triggered"},
    {hip::kErrorHostMemoryAlreadyRegistered, "hipErrorHostMemoryAlreadyRegistered",
     "part or all of the requested memory range is already mapped"},
    {hip::kErrorHostMemoryNotRegistered, "hipErrorHostMemoryNotRegistered",
     "pointer does not correspond to a registered memory region"},
    {hip::kErrorLaunchFailure, "hipErrorLaunchFailure", "unspecified launch failure"},
    {hip::kErrorCooperativeLaunchTooLarge, "hipErrorCooperativeLaunchTooLarge",
     "too many blocks in cooperative launch"},
    {hip::kErrorNotSupported, "hipErrorNotSupported", "operation not supported"},
    {hip::kErrorStreamCaptureUnsupported, "hipErrorStreamCaptureUnsupported",
     "operation not permitted when stream is capturing"},
    {hip::kErrorStreamCaptureInvalidated, "hipErrorStreamCaptureInvalidated",
     "operation failed due to a previous error during capture"},
    {hip::kErrorStreamCaptureMerge, "hipErrorStreamCaptureMerge",
     "operation would result in a merge of separate capture sequences"},
    {hip::kErrorStreamCaptureUnmatched, "hipErrorStreamCaptureUnmatched",
     "capture was not ended in the same stream as it began"},
    {hip::kErrorStreamCaptureUnjoined, "hipErrorStreamCaptureUnjoined",
     "capturing stream has unjoined work"},
    {hip::kErrorStreamCaptureIsolation, "hipErrorStreamCaptureIsolation",
     "dependency created on uncaptured work in another stream"},
    {hip::kErrorStreamCaptureImplicit, "hipErrorStreamCaptureImplicit",
     "operation would make the legacy stream depend on a capturing blocking stream"},
    {hip::kErrorCapturedEvent, "hipErrorCapturedEvent",
     "operation not permitted on an event last recorded in a capturing stream"},
    {hip::kErrorStreamCaptureWrongThread, "hipErrorStreamCaptureWrongThread",
     "attempt to terminate a thread-local capture sequence from another thread"},
    {hip::kErrorGraphExecUpdateFailure, "hipErrorGraphExecUpdateFailure",
     "the graph update was not performed because it included changes which violated constraints "
     "specific to instantiated graph update"},
    {hip::kErrorInvalidChannelDescriptor, "hipErrorInvalidChannelDescriptor",
     "invalid resource description of texture passed to the api"},
    {hip::kErrorInvalidTexture, "hipErrorInvalidTexture",
     "invalid texture object passed to the api"},
    {hip::kErrorUnknown, "hipErrorUnknown", "unknown error"},
    {hip::kErrorRuntimeMemory, "hipErrorRuntimeMemory", "runtime memory call returned error"},
    {hip::kErrorRuntimeOther, "hipErrorRuntimeOther",
     "runtime call other than memory returned error"},
    {hip::kErrorTbd, "hipErrorTbd", "unknown error"},
};

const ErrorText* find(hip::Error error) {
  const auto* const at = std::lower_bound(
      std::begin(kErrorTexts), std::end(kErrorTexts), error,
      [](const ErrorText& candidate, hip::Error wanted) { return candidate.error < wanted; });
  return at != std::end(kErrorTexts) && at->error == error ? at : nullptr;
}

constexpr bool are_sorted() {
  return std::is_sorted(std::begin(kErrorTexts), std::end(kErrorTexts),
                        [](const ErrorText& a, const ErrorText& b) { return a.error < b.error; });
}
static_assert(are_sorted(), "find() searches by halves");

const ErrorText& text_or_unknown(hip::Error error) {
  const ErrorText* const text = find(error);
  return text != nullptr ? *text : *find(hip::kErrorUnknown);
}

}  // namespace

const char* name_of(hip::Error error) { return text_or_unknown(error).name; }
const char* text_of(hip::Error error) { return text_or_unknown(error).text; }
bool is_error(hip::Error error) { return find(error) != nullptr; }

}  // namespace compass
