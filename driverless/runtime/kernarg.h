// SPDX-License-Identifier: MIT
#pragma once

#include "ir/base/bytes.h"
#include "ir/base/result.h"
#include "ir/kernel.h"

namespace compass {

/// The explicit part of a kernarg segment, from the pointers to the arguments' values that a launch
/// passes: one for each argument that is not hidden, in the order of their offsets. Fails where an
/// argument has no value, or is of a kind that no value can be passed for.
Result<Bytes> pack_kernarg(const Kernel& kernel, const void* const* values);

/// The same from a block that the program has packed itself; what follows the last explicit
/// argument is left out. Fails where the block ends before that.
Result<Bytes> take_kernarg(const Kernel& kernel, ByteView packed);

}  // namespace compass
