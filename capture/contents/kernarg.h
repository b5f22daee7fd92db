// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
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

/// Puts the explicit arguments at their offsets in `kernarg`, which is as large as the layout says.
/// `arguments` has an address for each slot, as a launch passes them; the runtime is about to read
/// from there, unless it refuses the launch first. An error where one is null.
Result<void> pack_kernarg(const KernargLayout& layout, void* const* arguments,
                          std::span<std::byte> kernarg);

/// The same of arguments that a launch passes in one block, at their offsets. What lies between
/// them is left out. An error where the block is too short.
Result<void> take_kernarg(const KernargLayout& layout, ByteView packed,
                          std::span<std::byte> kernarg);

}  // namespace compass::capture
