// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "ir/hip/abi.h"

namespace compass {

/// HIP's last error, one for each thread: notes `error` if it is one, and returns it.
hip::Error note_error(hip::Error error);

/// The last error. take_last_error() also clears it.
hip::Error last_error();
hip::Error take_last_error();

/// HIP's name, for instance "hipErrorInvalidValue", and HIP's words, for instance "invalid
/// argument".
const char* name_of(hip::Error error);
const char* text_of(hip::Error error);

/// What a function of HIP that is not implemented does: says so once by `name`, and fails.
hip::Error refuse_unimplemented(const char* name);
/// The same for hiprtc, which has its own error codes.
int refuse_unimplemented_hiprtc(const char* name);

}  // namespace compass
