// SPDX-License-Identifier: MIT
#pragma once

#include "driverless/runtime/operation.h"
#include "ir/hip/memory_abi.h"

namespace compass {

/// Makes the copy that HIP's parameters ask for; whether memory is there is not checked.
/// kErrorNotSupported for arrays.
hip::Error make_copy(const hip::Memcpy3DParms* parameters, CopyOperation& copy);

}  // namespace compass
