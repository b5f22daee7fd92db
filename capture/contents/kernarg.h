// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "ir/base/bytes.h"
#include "ir/base/result.h"
#include "ir/kernel.h"

namespace compass::capture {

/// Where a kernel's explicit arguments lie in its kernarg segment.
struct KernargLayout {
  struct Slot {
    std::uint32_t offset_bytes = 0;
    std::uint32_t size_bytes = 0;
  };
  std::vector<Slot> slots;       ///< in the order in which a launch passes the arguments
  std::uint32_t size_bytes = 0;  ///< up to the end of the last explicit argument
};

/// From a kernel's metadata, which may be wrong in any way: every slot is inside the segment, and
/// the segment is no larger than a launch can have.
Result<KernargLayout> kernarg_layout(const Kernel& kernel);

/// The explicit arguments at their offsets, everything between them zero. `arguments` has an
/// address for each slot, as a launch passes them; the runtime is about to read from there, unless
/// it refuses the launch first. An error where one is null.
Result<Bytes> pack_kernarg(const KernargLayout& layout, void* const* arguments);

}  // namespace compass::capture
