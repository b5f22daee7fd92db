// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "ir/archive/memory_table.h"
#include "ir/base/bytes.h"
#include "ir/base/result.h"
#include "ir/kernel.h"
#include "ir/record.h"

namespace compass::archive {

/// The explicit arguments in the kernarg bytes of a launch, by offset. A global buffer becomes a
/// pointer. In a by-value argument every aligned 8-byte slot that points into live memory becomes a
/// pointer of its own, and what lies between stays bytes: so no address is left that replay could
/// not move, or that would differ in every recording.
Result<std::vector<LaunchArgument>> split_kernarg(const Kernel& kernel, ByteView kernarg,
                                                  const MemoryTable& memory);

}  // namespace compass::archive
