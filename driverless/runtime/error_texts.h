// SPDX-License-Identifier: MIT
#pragma once

#include "ir/hip/abi.h"

namespace compass {

/// HIP's name and HIP's words for an error: "hipErrorInvalidValue" and "invalid argument". Numbers
/// that are no error of HIP have those of hipErrorUnknown.
const char* name_of(hip::Error error);
const char* text_of(hip::Error error);

/// Whether HIP has an error of this number.
bool is_error(hip::Error error);

}  // namespace compass
