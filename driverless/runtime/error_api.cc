// SPDX-License-Identifier: MIT
#include "driverless/runtime/api.h"
#include "driverless/runtime/error_state.h"
#include "driverless/runtime/error_texts.h"

namespace compass::hip {

namespace {

/// HIP says whether the number is an error of its own, and answers with the unknown one's words.
Error put_text(Error error, const char* text, const char** out) {
  if (out == nullptr) return kErrorInvalidValue;
  *out = text;
  return is_error(error) ? kSuccess : kErrorInvalidValue;
}

}  // namespace

Error hipGetLastError() { return take_last_error(); }
Error hipPeekAtLastError() { return last_error(); }
Error hipExtGetLastError() { return take_last_result(); }
const char* hipGetErrorString(Error error) { return text_of(error); }
const char* hipGetErrorName(Error error) { return name_of(error); }

Error hipDrvGetErrorName(Error error, const char** name) {
  return put_text(error, name_of(error), name);
}

Error hipDrvGetErrorString(Error error, const char** text) {
  return put_text(error, text_of(error), text);
}

}  // namespace compass::hip
