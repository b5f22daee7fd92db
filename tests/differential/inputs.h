// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "tests/differential/host.h"

namespace compass::differential {

/// How an element lies in memory. Integers have no exponent.
struct Layout {
  unsigned size_bytes;
  unsigned exponent_bits, mantissa_bits;

  bool is_float() const { return exponent_bits != 0; }
  /// Whether `bits` are a NaN of a float.
  bool is_nan(std::uint64_t bits) const;
  /// Whether `bits` are a zero of a float, of either sign.
  bool is_zero(std::uint64_t bits) const;
};

Layout layout_of(ElementType type);

/// Three operands of each of `count` elements, as bits. The first elements are all pairs of values
/// where something changes (zeros, denormals, infinities, NaN, powers of two and their neighbours),
/// the others mix these with random ones. NaNs are quiet: what a signalling one does is left open
/// by the language. The same on every call.
struct Operands {
  std::vector<std::uint64_t> a, b, c;
};
Operands make_operands(const Layout& layout, unsigned count);

}  // namespace compass::differential
