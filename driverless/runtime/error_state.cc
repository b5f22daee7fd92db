// SPDX-License-Identifier: MIT
#include "driverless/runtime/error_state.h"

#include "driverless/runtime/notice.h"
#include "ir/base/concat.h"

namespace compass {
namespace {

thread_local hip::Error last = hip::kSuccess;

struct ErrorText {
  hip::Error error;
  const char* name;
  const char* text;
};

constexpr ErrorText kErrorTexts[] = {
    {hip::kSuccess, "hipSuccess", "no error"},
    {hip::kErrorInvalidValue, "hipErrorInvalidValue", "invalid argument"},
    {hip::kErrorOutOfMemory, "hipErrorOutOfMemory", "out of memory"},
    {hip::kErrorNotInitialized, "hipErrorNotInitialized", "initialization error"},
    {hip::kErrorInvalidConfiguration, "hipErrorInvalidConfiguration",
     "invalid configuration argument"},
    {hip::kErrorInvalidMemcpyDirection, "hipErrorInvalidMemcpyDirection",
     "invalid copy direction for memcpy"},
    {hip::kErrorMissingConfiguration, "hipErrorMissingConfiguration",
     "__global__ function call is not configured"},
    {hip::kErrorInvalidDeviceFunction, "hipErrorInvalidDeviceFunction", "invalid device function"},
    {hip::kErrorNoDevice, "hipErrorNoDevice", "no ROCm-capable device is detected"},
    {hip::kErrorInvalidDevice, "hipErrorInvalidDevice", "invalid device ordinal"},
    {hip::kErrorInvalidImage, "hipErrorInvalidImage", "device kernel image is invalid"},
    {hip::kErrorNoBinaryForGpu, "hipErrorNoBinaryForGpu",
     "no kernel image is available for execution on the device"},
    {hip::kErrorInvalidKernelFile, "hipErrorInvalidKernelFile", "invalid kernel file"},
    {hip::kErrorInvalidHandle, "hipErrorInvalidHandle", "invalid resource handle"},
    {hip::kErrorNotFound, "hipErrorNotFound", "named symbol not found"},
    {hip::kErrorNotReady, "hipErrorNotReady", "device not ready"},
    {hip::kErrorIllegalAddress, "hipErrorIllegalAddress",
     "an illegal memory access was encountered"},
    {hip::kErrorLaunchFailure, "hipErrorLaunchFailure", "unspecified launch failure"},
    {hip::kErrorNotSupported, "hipErrorNotSupported", "operation not supported"},
    {hip::kErrorUnknown, "hipErrorUnknown", "unknown error"},
};

const ErrorText& find_text(hip::Error error) {
  for (const ErrorText& candidate : kErrorTexts) {
    if (candidate.error == error) return candidate;
  }
  return find_text(hip::kErrorUnknown);
}

constexpr int kHiprtcErrorInternalError = 11;

}  // namespace

hip::Error note_error(hip::Error error) {
  if (error != hip::kSuccess) last = error;
  return error;
}

hip::Error last_error() { return last; }

hip::Error take_last_error() {
  const hip::Error error = last;
  last = hip::kSuccess;
  return error;
}

const char* name_of(hip::Error error) { return find_text(error).name; }
const char* text_of(hip::Error error) { return find_text(error).text; }

hip::Error refuse_unimplemented(const char* name) {
  notice_once(concat(name, " is not implemented by the driverless runtime; it returns ",
                     name_of(hip::kErrorNotSupported)));
  return note_error(hip::kErrorNotSupported);
}

int refuse_unimplemented_hiprtc(const char* name) {
  notice_once(concat(name,
                     " is not implemented by the driverless runtime; it returns "
                     "HIPRTC_ERROR_INTERNAL_ERROR"));
  return kHiprtcErrorInternalError;
}

}  // namespace compass
