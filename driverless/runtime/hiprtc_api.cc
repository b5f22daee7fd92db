// SPDX-License-Identifier: MIT

// The part of hiprtc that works without a compiler: what its errors are called.

#include <iterator>

#include "driverless/runtime/api.h"

namespace compass::hip {
namespace {

constexpr const char* kResultNames[] = {
    "HIPRTC_SUCCESS",
    "HIPRTC_ERROR_OUT_OF_MEMORY",
    "HIPRTC_ERROR_PROGRAM_CREATION_FAILURE",
    "HIPRTC_ERROR_INVALID_INPUT",
    "HIPRTC_ERROR_INVALID_PROGRAM",
    "HIPRTC_ERROR_INVALID_OPTION",
    "HIPRTC_ERROR_COMPILATION",
    "HIPRTC_ERROR_BUILTIN_OPERATION_FAILURE",
    "HIPRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION",
    "HIPRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION",
    "HIPRTC_ERROR_NAME_EXPRESSION_NOT_VALID",
    "HIPRTC_ERROR_INTERNAL_ERROR",
};
constexpr int kErrorLinking = 100;

}  // namespace

const char* hiprtcGetErrorString(int result) {
  if (result == kErrorLinking) return "HIPRTC_ERROR_LINKING";
  const bool known = result >= 0 && result < static_cast<int>(std::size(kResultNames));
  return known ? kResultNames[result] : "Invalid HIPRTC error code";
}

}  // namespace compass::hip
