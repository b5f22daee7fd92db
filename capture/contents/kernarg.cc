// SPDX-License-Identifier: MIT
#include "capture/contents/kernarg.h"

#include <algorithm>
#include <cstring>

namespace compass::capture {

Result<KernargLayout> kernarg_layout(const Kernel& kernel) {
  constexpr std::uint32_t kLargestSegmentBytes = 1 << 20;
  KernargLayout layout;
  for (const KernelArgument& argument : kernel.arguments) {
    if (argument.kind == ArgumentKind::kHidden) continue;
    const std::uint64_t end = std::uint64_t{argument.offset_bytes} + argument.size_bytes;
    if (end > kernel.kernarg_size_bytes || end > kLargestSegmentBytes) {
      return Error{ErrorCode::kCorrupt,
                   concat(kernel.name, ": an argument ends at byte ", end, " of ",
                          kernel.kernarg_size_bytes, " kernarg bytes")};
    }
    layout.slots.push_back({argument.offset_bytes, argument.size_bytes});
    layout.size_bytes = std::max(layout.size_bytes, static_cast<std::uint32_t>(end));
  }
  return layout;
}

Result<void> pack_kernarg(const KernargLayout& layout, void* const* arguments,
                          std::span<std::byte> kernarg) {
  for (std::size_t i = 0; i < layout.slots.size(); ++i) {
    const KernargLayout::Slot& slot = layout.slots[i];
    if (slot.size_bytes == 0) continue;
    if (arguments == nullptr || arguments[i] == nullptr) {
      return Error{ErrorCode::kInvalid, concat("argument ", i, " of a launch is missing")};
    }
    std::memcpy(kernarg.data() + slot.offset_bytes, arguments[i], slot.size_bytes);
  }
  return {};
}

Result<void> take_kernarg(const KernargLayout& layout, ByteView packed,
                          std::span<std::byte> kernarg) {
  if (packed.size() < layout.size_bytes) {
    return Error{ErrorCode::kInvalid, concat("a launch passes ", packed.size(),
                                             " bytes, its arguments need ", layout.size_bytes)};
  }
  for (const KernargLayout::Slot& slot : layout.slots) {
    std::memcpy(kernarg.data() + slot.offset_bytes, packed.data() + slot.offset_bytes,
                slot.size_bytes);
  }
  return {};
}

}  // namespace compass::capture
