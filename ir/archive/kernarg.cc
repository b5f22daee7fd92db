// SPDX-License-Identifier: MIT
#include "ir/archive/kernarg.h"

namespace compass::archive {
namespace {

constexpr std::uint32_t kPointerBytes = 8;

LaunchArgument pointer_at(std::uint32_t offset_bytes, MemoryRef memory) {
  return {offset_bytes, kPointerBytes, true, memory, {}};
}

/// The bytes [begin, end) of the segment as an argument, if there are any.
void append_bytes(ByteView kernarg, std::uint32_t begin, std::uint32_t end,
                  std::vector<LaunchArgument>& out) {
  if (begin == end) return;
  const ByteView bytes = kernarg.subspan(begin, end - begin);
  out.push_back({begin, end - begin, false, {}, Bytes(bytes.begin(), bytes.end())});
}

void append_value(ByteView kernarg, std::uint32_t begin, std::uint32_t end,
                  const MemoryTable& memory, std::vector<LaunchArgument>& out) {
  std::uint32_t pending = begin;
  std::uint64_t slot = (std::uint64_t{begin} + kPointerBytes - 1) / kPointerBytes * kPointerBytes;
  for (; slot + kPointerBytes <= end; slot += kPointerBytes) {
    const MemoryRef place = memory.find_live({load<std::uint64_t>(kernarg, slot)});
    if (!place.allocation) continue;
    const auto offset = static_cast<std::uint32_t>(slot);
    append_bytes(kernarg, pending, offset, out);
    out.push_back(pointer_at(offset, place));
    pending = offset + kPointerBytes;
  }
  append_bytes(kernarg, pending, end, out);
}

}  // namespace

Result<std::vector<LaunchArgument>> split_kernarg(const Kernel& kernel, ByteView kernarg,
                                                  const MemoryTable& memory) {
  std::vector<LaunchArgument> arguments;
  for (const KernelArgument& argument : kernel.arguments) {
    if (argument.kind == ArgumentKind::kHidden) continue;
    const std::uint64_t end = std::uint64_t{argument.offset_bytes} + argument.size_bytes;
    if (end > kernarg.size()) {
      return Error{ErrorCode::kCorrupt,
                   concat("its kernarg has ", kernarg.size(), " bytes, an argument ends at ", end)};
    }
    if (argument.kind == ArgumentKind::kGlobalBuffer && argument.size_bytes == kPointerBytes) {
      const auto address = load<std::uint64_t>(kernarg, argument.offset_bytes);
      arguments.push_back(pointer_at(argument.offset_bytes, memory.find({address})));
    } else {
      append_value(kernarg, argument.offset_bytes, static_cast<std::uint32_t>(end), memory,
                   arguments);
    }
  }
  return arguments;
}

}  // namespace compass::archive
