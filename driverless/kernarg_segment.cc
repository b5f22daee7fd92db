// SPDX-License-Identifier: MIT
#include "driverless/kernarg_segment.h"

#include <algorithm>
#include <cstring>
#include <string_view>

namespace compass {
namespace {

// "hidden_block_count_y" with stem "hidden_block_count_": 1.
bool axis_of(std::string_view value_kind, std::string_view stem, unsigned& axis) {
  if (!value_kind.starts_with(stem) || value_kind.size() != stem.size() + 1) return false;
  axis = static_cast<unsigned>(value_kind.back() - 'x');
  return axis < 3;
}

}  // namespace

Result<Bytes> make_kernarg_segment(const Kernel& kernel, ByteView explicit_kernarg,
                                   const std::array<std::uint32_t, 3>& grid_workgroups,
                                   const std::array<std::uint32_t, 3>& workgroup_workitems,
                                   std::uint32_t dynamic_lds_bytes) {
  Bytes segment(std::max<std::size_t>(kernel.kernarg_size_bytes, explicit_kernarg.size()));
  std::copy(explicit_kernarg.begin(), explicit_kernarg.end(), segment.begin());
  for (const KernelArgument& argument : kernel.arguments) {
    const std::uint64_t end = std::uint64_t{argument.offset_bytes} + argument.size_bytes;
    if (argument.kind != ArgumentKind::kHidden) {
      if (end <= explicit_kernarg.size()) continue;
      return Error{ErrorCode::kInvalid, concat("the arguments hold ", explicit_kernarg.size(),
                                               " bytes where the kernel reads ", end)};
    }
    std::uint64_t value = 0;
    unsigned axis = 0;
    if (axis_of(argument.value_kind, "hidden_block_count_", axis)) value = grid_workgroups[axis];
    if (axis_of(argument.value_kind, "hidden_group_size_", axis)) value = workgroup_workitems[axis];
    if (argument.value_kind == "hidden_grid_dims") value = 3;
    if (argument.value_kind == "hidden_dynamic_lds_size") value = dynamic_lds_bytes;
    const std::size_t size = std::min<std::size_t>(argument.size_bytes, sizeof value);
    if (end <= segment.size()) std::memcpy(&segment[argument.offset_bytes], &value, size);
  }
  return segment;
}

}  // namespace compass
