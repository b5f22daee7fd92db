// SPDX-License-Identifier: MIT
#include "driverless/kernarg_segment.h"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <optional>
#include <string_view>
#include <utility>

#include "ir/names.h"

namespace compass {
namespace {

constexpr std::uint32_t kMostSegmentBytes = 1 << 20;
/// Bits 63:32 of the apertures that kernels also read as src_shared_base and src_private_base.
constexpr std::uint64_t kSharedApertureHigh = 0x1'0000;
constexpr std::uint64_t kPrivateApertureHigh = 0x2'0000;

/// What the runtime knows of a launch.
struct Surroundings {
  const std::array<std::uint32_t, 3>& grid_workgroups;
  const std::array<std::uint32_t, 3>& workgroup_workitems;
  std::uint32_t dynamic_lds_bytes;
  DeviceAddress grid_sync;
};

// "hidden_block_count_y" with stem "hidden_block_count_": 1.
std::optional<unsigned> axis_of(std::string_view value_kind, std::string_view stem) {
  if (!value_kind.starts_with(stem) || value_kind.size() != stem.size() + 1) return std::nullopt;
  const auto axis = static_cast<unsigned>(value_kind.back() - 'x');
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

/// The value of a hidden argument; absent where the kind is not known. Kinds are those of LLVM's
/// "User Guide for AMDGPU Backend", section "Code Object V5 Metadata" and the ones before it.
std::optional<std::uint64_t> hidden_value(std::string_view kind, const Surroundings& launch) {
  if (const auto axis = axis_of(kind, "hidden_block_count_")) return launch.grid_workgroups[*axis];
  if (const auto axis = axis_of(kind, "hidden_group_size_")) {
    return launch.workgroup_workitems[*axis];
  }
  // Workgroups are all whole, and the first one starts at 0.
  if (axis_of(kind, "hidden_remainder_") || axis_of(kind, "hidden_global_offset_")) return 0;
  if (kind == "hidden_grid_dims") return 3;
  if (kind == "hidden_dynamic_lds_size") return launch.dynamic_lds_bytes;
  if (kind == "hidden_shared_base") return kSharedApertureHigh;
  if (kind == "hidden_private_base") return kPrivateApertureHigh;
  if (kind == "hidden_multigrid_sync_arg") return launch.grid_sync.value;
  if (is_absent_service(kind)) return 0;
  return std::nullopt;
}

Error unsupported(const Kernel& kernel, const KernelArgument& argument) {
  return {ErrorCode::kUnsupported,
          concat("its argument ", argument_name(kernel, argument.offset_bytes), " is of kind ",
                 argument.value_kind, ", which is not supported")};
}

Result<void> put_hidden(const Kernel& kernel, const KernelArgument& argument,
                        const Surroundings& launch, Bytes& segment) {
  const auto value = hidden_value(argument.value_kind, launch);
  if (!value) return unsupported(kernel, argument);
  const std::size_t size = std::min<std::size_t>(argument.size_bytes, sizeof *value);
  if (size != 0) std::memcpy(&segment[argument.offset_bytes], &*value, size);
  return {};
}

}  // namespace

Result<Bytes> make_kernarg_segment(const Kernel& kernel, ByteView explicit_kernarg,
                                   const std::array<std::uint32_t, 3>& grid_workgroups,
                                   const std::array<std::uint32_t, 3>& workgroup_workitems,
                                   std::uint32_t dynamic_lds_bytes, DeviceAddress grid_sync) {
  const Surroundings launch{grid_workgroups, workgroup_workitems, dynamic_lds_bytes, grid_sync};
  if (kernel.kernarg_size_bytes > kMostSegmentBytes) {
    return Error{ErrorCode::kUnsupported,
                 concat("its kernarg segment has ", kernel.kernarg_size_bytes,
                        " bytes, the most is ", kMostSegmentBytes)};
  }
  Bytes segment(std::max<std::size_t>(kernel.kernarg_size_bytes, explicit_kernarg.size()));
  std::copy(explicit_kernarg.begin(), explicit_kernarg.end(), segment.begin());
  for (const KernelArgument& argument : kernel.arguments) {
    const std::uint64_t end = std::uint64_t{argument.offset_bytes} + argument.size_bytes;
    if (argument.kind == ArgumentKind::kOther) return unsupported(kernel, argument);
    if (argument.kind != ArgumentKind::kHidden && end > explicit_kernarg.size()) {
      return Error{ErrorCode::kInvalid, concat("the arguments hold ", explicit_kernarg.size(),
                                               " bytes where the kernel reads ", end)};
    }
    if (argument.kind != ArgumentKind::kHidden) continue;
    if (end > segment.size()) {
      return Error{ErrorCode::kCorrupt, concat("an argument ends at byte ", end, " of ",
                                               segment.size(), " kernarg bytes")};
    }
    if (auto put = put_hidden(kernel, argument, launch, segment); !put) {
      return std::move(put).error();
    }
  }
  return segment;
}

}  // namespace compass
