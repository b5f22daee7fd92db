// SPDX-License-Identifier: MIT
#pragma once

#include "ir/hip/abi.h"

namespace compass {

/// HIP's last error, one for each thread. Every call of HIP that answers an error code notes its
/// result here, and returns it.
///
/// From HIP 7 on the last error is the last result that was one: neither success nor "not ready"
/// changes it. Before, each call replaced it.
hip::Error note_error(hip::Error error);

/// The last error. take_last_error() also clears it.
hip::Error last_error();
hip::Error take_last_error();

/// What the last call answered, whatever it was; clears it.
hip::Error take_last_result();

}  // namespace compass
