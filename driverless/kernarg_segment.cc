// SPDX-License-Identifier: MIT
#include "driverless/kernarg_segment.h"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <optional>
#include <string_view>

#include "ir/names.h"

namespace compass {
namespace {

/// Bits 63:32 of the apertures that kernels also read as src_shared_base and src_private_base.
constexpr std::uint64_t kSharedApertureHigh = 0x1'0000;
constexpr std::uint64_t kPrivateApertureHigh = 0x2'0000;

// "hidden_block_count_y" with stem "hidden_block_count_": 1.
std::optional<std::uint8_t> axis_of(std::string_view value_kind, std::string_view stem) {
  if (!value_kind.starts_with(stem) || value_kind.size() != stem.size() + 1) return std::nullopt;
  const auto axis = static_cast<std::uint8_t>(value_kind.back() - 'x');
  return axis < 3 ? std::optional(axis) : std::nullopt;
}

/// Services that are not there: null, which the guide allows for each. A kernel that calls one
/// faults at address 0.
bool is_absent_service(std::string_view value_kind) {
  constexpr std::string_view kKinds[] = {
      "hidden_none",          "hidden_printf_buffer",     "hidden_hostcall_buffer",
      "hidden_default_queue", "hidden_completion_action", "hidden_heap_v1",
      "hidden_queue_ptr"};
  return std::find(std::begin(kKinds), std::end(kKinds), value_kind) != std::end(kKinds);
}

Error unsupported(const Kernel& kernel, const KernelArgument& argument) {
  return {ErrorCode::kUnsupported,
          concat("its argument ", argument_name(kernel, argument.offset_bytes), " is of kind ",
                 argument.value_kind, ", which is not supported")};
}

}  // namespace

/// False where the kind is not known. Kinds are those of LLVM's "User Guide for AMDGPU Backend",
/// section "Code Object V5 Metadata" and the ones before it.
bool KernargLayout::find_value(std::string_view kind, Hidden& hidden) {
  if (const auto axis = axis_of(kind, "hidden_block_count_")) {
    hidden.source = Source::kBlockCount;
    hidden.axis = *axis;
  } else if (const auto axis = axis_of(kind, "hidden_group_size_")) {
    hidden.source = Source::kGroupSize;
    hidden.axis = *axis;
  } else if (kind == "hidden_dynamic_lds_size") {
    hidden.source = Source::kDynamicLds;
  } else if (kind == "hidden_multigrid_sync_arg") {
    hidden.source = Source::kGridSync;
  } else if (kind == "hidden_grid_dims") {
    hidden.constant = 3;
  } else if (kind == "hidden_shared_base") {
    hidden.constant = kSharedApertureHigh;
  } else if (kind == "hidden_private_base") {
    hidden.constant = kPrivateApertureHigh;
  } else {
    // Workgroups are all whole, and the first one starts at 0.
    return axis_of(kind, "hidden_remainder_") || axis_of(kind, "hidden_global_offset_") ||
           is_absent_service(kind);
  }
  return true;
}

Result<KernargLayout> KernargLayout::of(const Kernel& kernel) {
  if (kernel.kernarg_size_bytes > kMostBytes) {
    return Error{ErrorCode::kUnsupported,
                 concat("its kernarg segment has ", kernel.kernarg_size_bytes,
                        " bytes, the most is ", kMostBytes)};
  }
  KernargLayout layout;
  layout.size_bytes_ = kernel.kernarg_size_bytes;
  for (const KernelArgument& argument : kernel.arguments) {
    const std::uint64_t end = std::uint64_t{argument.offset_bytes} + argument.size_bytes;
    if (argument.kind == ArgumentKind::kOther) return unsupported(kernel, argument);
    if (argument.kind != ArgumentKind::kHidden) {
      layout.explicit_bytes_ = std::max(layout.explicit_bytes_, end);
      continue;
    }
    if (end > kernel.kernarg_size_bytes) {
      return Error{ErrorCode::kCorrupt, concat("an argument ends at byte ", end, " of ",
                                               kernel.kernarg_size_bytes, " kernarg bytes")};
    }
    Hidden hidden{.offset_bytes = argument.offset_bytes,
                  .size_bytes = std::min<std::uint32_t>(argument.size_bytes, 8)};
    if (!find_value(argument.value_kind, hidden)) return unsupported(kernel, argument);
    layout.hidden_.push_back(hidden);
  }
  return layout;
}

std::uint64_t KernargLayout::value_of(const Hidden& hidden, const LaunchSurroundings& launch) {
  switch (hidden.source) {
    case Source::kConstant:
      return hidden.constant;
    case Source::kBlockCount:
      return launch.grid_workgroups[hidden.axis];
    case Source::kGroupSize:
      return launch.workgroup_workitems[hidden.axis];
    case Source::kDynamicLds:
      return launch.dynamic_lds_bytes;
    case Source::kGridSync:
      return launch.grid_sync.value;
  }
  return 0;
}

Result<void> KernargLayout::fill(ByteView explicit_kernarg, const LaunchSurroundings& launch,
                                 Bytes& segment) const {
  if (explicit_kernarg.size() < explicit_bytes_) {
    return Error{ErrorCode::kInvalid, concat("the arguments hold ", explicit_kernarg.size(),
                                             " bytes where the kernel reads ", explicit_bytes_)};
  }
  if (explicit_kernarg.size() > kMostBytes) {
    return Error{ErrorCode::kUnsupported, concat("the arguments hold ", explicit_kernarg.size(),
                                                 " bytes, the most is ", kMostBytes)};
  }
  segment.assign(std::max<std::size_t>(size_bytes_, explicit_kernarg.size()), std::byte{0});
  std::copy(explicit_kernarg.begin(), explicit_kernarg.end(), segment.begin());
  for (const Hidden& hidden : hidden_) {
    const std::uint64_t value = value_of(hidden, launch);
    std::memcpy(segment.data() + hidden.offset_bytes, &value, hidden.size_bytes);
  }
  return {};
}

}  // namespace compass
