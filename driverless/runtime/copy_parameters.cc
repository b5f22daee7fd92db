// SPDX-License-Identifier: MIT
#include "driverless/runtime/copy_parameters.h"

namespace compass {
namespace {

/// Where the box starts. False if that is no address.
bool find_start(const hip::PitchedPtr& end, const hip::Pos& position, Pitched& place) {
  std::uint64_t slice_bytes = 0;
  std::uint64_t offset_bytes = 0;
  std::uint64_t rows_bytes = 0;
  std::uint64_t start = reinterpret_cast<std::uint64_t>(end.pointer);
  if (__builtin_mul_overflow(end.pitch_bytes, end.rows, &slice_bytes) ||
      __builtin_mul_overflow(slice_bytes, position.z, &offset_bytes) ||
      __builtin_mul_overflow(end.pitch_bytes, position.y, &rows_bytes) ||
      __builtin_add_overflow(start, offset_bytes, &start) ||
      __builtin_add_overflow(start, rows_bytes, &start) ||
      __builtin_add_overflow(start, position.x, &start)) {
    return false;
  }
  // NOLINTNEXTLINE(performance-no-int-to-ptr): inside what the pointer names
  place = {reinterpret_cast<void*>(start), end.pitch_bytes, slice_bytes};
  return true;
}

}  // namespace

hip::Error make_copy(const hip::Memcpy3DParms* parameters, CopyOperation& copy) {
  if (parameters == nullptr) return hip::kErrorInvalidValue;
  const bool has_arrays = parameters->from_array != nullptr || parameters->to_array != nullptr;
  if (has_arrays) return hip::kErrorNotSupported;
  if (parameters->from.pointer == nullptr || parameters->to.pointer == nullptr) {
    return hip::kErrorInvalidValue;
  }
  const hip::Extent& extent = parameters->extent;
  copy = {.to = {},
          .from = {},
          .box = {extent.width, extent.height, extent.depth},
          .kind = parameters->kind,
          .staged = nullptr};
  const bool is_right = find_start(parameters->to, parameters->to_position, copy.to) &&
                        find_start(parameters->from, parameters->from_position, copy.from);
  return is_right ? hip::kSuccess : hip::kErrorInvalidValue;
}

}  // namespace compass
