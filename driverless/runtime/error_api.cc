// SPDX-License-Identifier: MIT
#include "driverless/runtime/api.h"
#include "driverless/runtime/error_state.h"

namespace compass::hip {

Error hipGetLastError() { return take_last_error(); }
Error hipPeekAtLastError() { return last_error(); }
const char* hipGetErrorString(Error error) { return text_of(error); }
const char* hipGetErrorName(Error error) { return name_of(error); }

}  // namespace compass::hip
