// SPDX-License-Identifier: MIT
#include "driverless/case/compare.h"

#include <cmath>
#include <cstring>

namespace compass::kernel_case {
namespace {

/// Where element `element` of a dense buffer is.
std::vector<std::uint64_t> index_of(const std::vector<std::uint64_t>& shape,
                                    std::uint64_t element) {
  std::vector<std::uint64_t> index(shape.size());
  for (std::size_t axis = shape.size(); axis-- > 0;) {
    index[axis] = element % shape[axis];
    element /= shape[axis];
  }
  return index;
}

double allowed_difference(const Argument& argument, std::uint64_t want_bits) {
  return argument.atol + argument.rtol * std::fabs(widen(*argument.dtype, want_bits));
}

bool is_right(const Argument& argument, std::uint64_t got_bits, std::uint64_t want_bits) {
  if (got_bits == want_bits) return true;
  if (!argument.has_expect || argument.dtype->kind != DtypeKind::kFloat) return false;
  const double got = widen(*argument.dtype, got_bits), want = widen(*argument.dtype, want_bits);
  if (std::isnan(want)) return std::isnan(got);
  if (std::isinf(got) || std::isinf(want)) return got == want;
  return std::fabs(got - want) <= allowed_difference(argument, want_bits);
}

}  // namespace

std::optional<Mismatch> compare(const Argument& argument, ByteView got) {
  const ByteView want = argument.has_expect ? argument.expect : argument.input;
  if (want.empty() || std::memcmp(got.data(), want.data(), want.size()) == 0) return std::nullopt;
  Mismatch mismatch{.buffer = argument.name,
                    .dtype = argument.dtype,
                    .had_to_keep = !argument.has_expect,
                    .elements = argument.elements()};
  for (std::uint64_t element = 0; element < mismatch.elements; ++element) {
    const std::uint64_t got_bits = bits_at(*argument.dtype, got, element);
    const std::uint64_t want_bits = bits_at(*argument.dtype, want, element);
    if (is_right(argument, got_bits, want_bits)) continue;
    if (mismatch.differing++ != 0) continue;
    mismatch.element = element;
    mismatch.index = index_of(argument.shape, element);
    mismatch.got_bits = got_bits;
    mismatch.want_bits = want_bits;
    if (argument.has_expect && argument.dtype->kind == DtypeKind::kFloat) {
      mismatch.allowed = allowed_difference(argument, want_bits);
    }
  }
  if (mismatch.differing == 0) return std::nullopt;
  return mismatch;
}

}  // namespace compass::kernel_case
