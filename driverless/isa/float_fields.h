// SPDX-License-Identifier: MIT
#pragma once

#include "driverless/isa/domain.h"

/// What singles, doubles and halves have in common: their fields, NaNs, and flushing of subnormals.
namespace compass::isa {

template <class V>
struct FloatFields;

template <class D>
struct FloatFields<F32<D>> {
  using Bits = std::uint32_t;
  static constexpr Bits kSign = 0x8000'0000, kInfinity = 0x7F80'0000, kQuiet = 0x0040'0000;
  static constexpr Bits kOne = 0x3F80'0000, kBelowOne = 0x3F7F'FFFF;
  static constexpr unsigned kFractionBits = 23;
  static constexpr bool flushes_sources(const Mode& m) { return m.flush_single_sources; }
  static constexpr bool flushes_results(const Mode& m) { return m.flush_single_results; }
};
template <class D>
struct FloatFields<F64<D>> {
  using Bits = std::uint64_t;
  static constexpr Bits kSign = Bits{1} << 63, kInfinity = 0x7FF0'0000'0000'0000,
                        kQuiet = Bits{1} << 51;
  static constexpr Bits kOne = 0x3FF0'0000'0000'0000, kBelowOne = 0x3FEF'FFFF'FFFF'FFFF;
  static constexpr unsigned kFractionBits = 52;
  static constexpr bool flushes_sources(const Mode& m) { return m.flush_wide_sources; }
  static constexpr bool flushes_results(const Mode& m) { return m.flush_wide_results; }
};
template <class D>
struct FloatFields<F16<D>> {
  using Bits = std::uint32_t;
  static constexpr Bits kSign = 0x8000, kInfinity = 0x7C00, kQuiet = 0x0200;
  static constexpr Bits kOne = 0x3C00, kBelowOne = 0x3BFF;
  static constexpr unsigned kFractionBits = 10;
  static constexpr bool flushes_sources(const Mode& m) { return m.flush_wide_sources; }
  static constexpr bool flushes_results(const Mode& m) { return m.flush_wide_results; }
};

template <class V>
using FloatBits = typename FloatFields<V>::Bits;
/// The NaN that an operation makes of numbers.
template <class V>
inline constexpr FloatBits<V> kMadeNan = FloatFields<V>::kInfinity | FloatFields<V>::kQuiet;
/// The NaN that functions make of arguments for which they have no value.
template <class V>
inline constexpr FloatBits<V> kUndefinedNan = kMadeNan<V> | FloatFields<V>::kSign;

/// Bits as a float of the type of the first argument.
template <class D>
constexpr F32<D> as_float(F32<D>, U32<D> bits) {
  return {bits.rep};
}
template <class D>
constexpr F64<D> as_float(F64<D>, U64<D> bits) {
  return {bits.rep};
}
template <class D>
constexpr F16<D> as_float(F16<D>, U32<D> bits) {
  return {bits.rep};
}

/// The bits without the sign: ordered as magnitudes are.
template <class V>
constexpr auto magnitude(V a) {
  return bits(a) & like(bits(a), FloatFields<V>::kSign - 1);
}
template <class V>
constexpr auto sign_of(V a) {
  return bits(a) & like(bits(a), FloatFields<V>::kSign);
}
template <class V>
constexpr auto is_nan(V a) {
  return magnitude(a) > like(bits(a), FloatFields<V>::kInfinity);
}
template <class V>
constexpr auto is_infinite(V a) {
  return magnitude(a) == like(bits(a), FloatFields<V>::kInfinity);
}
template <class V>
constexpr auto is_zero(V a) {
  return magnitude(a) == like(bits(a), FloatBits<V>{0});
}
/// Zero or subnormal.
template <class V>
constexpr auto is_tiny(V a) {
  return magnitude(a) < like(bits(a), FloatBits<V>{1} << FloatFields<V>::kFractionBits);
}
template <class V>
constexpr auto is_negative(V a) {
  return sign_of(a) != like(bits(a), FloatBits<V>{0});
}
template <class V>
constexpr auto is_signalling_nan(V a) {
  using F = FloatFields<V>;
  return is_nan(a) & ((bits(a) & like(bits(a), F::kQuiet)) == like(bits(a), FloatBits<V>{0}));
}
template <class V>
constexpr V quiet(V a) {
  return as_float(a, bits(a) | like(bits(a), FloatFields<V>::kQuiet));
}
template <class V>
constexpr V fneg(V a) {
  return as_float(a, bits(a) ^ like(bits(a), FloatFields<V>::kSign));
}
template <class V>
constexpr V fabs(V a) {
  return as_float(a, magnitude(a));
}
/// `a` with the sign of `s`.
template <class V>
constexpr V fcopysign(V a, V s) {
  return as_float(a, magnitude(a) | sign_of(s));
}

/// What an operation returns that computed `result` from the other arguments.
template <class V>
constexpr V nan_rule(V result, V a) {
  V made = select(is_nan(result), like(result, kMadeNan<V>), result);
  return select(is_nan(a), quiet(a), made);
}
template <class V>
constexpr V nan_rule(V result, V a, V b) {
  return select(is_nan(a), quiet(a), nan_rule(result, b));
}
template <class V>
constexpr V nan_rule(V result, V a, V b, V c) {
  return select(is_nan(a), quiet(a), nan_rule(result, b, c));
}
template <class V>
constexpr V undefined_rule(V result, V a) {
  V made = select(is_nan(result), like(result, kUndefinedNan<V>), result);
  return select(is_nan(a), quiet(a), made);
}

template <class V>
constexpr V flush(V a) {
  return select(is_tiny(a), as_float(a, sign_of(a)), a);
}
/// A source as the mode lets an operation see it.
template <class V>
constexpr V enter(const Mode& mode, V a) {
  if (FloatFields<V>::flushes_sources(mode)) return flush(a);
  return a;
}
/// A result as the mode lets an operation return it.
template <class V>
constexpr V leave(const Mode& mode, V a) {
  if (FloatFields<V>::flushes_results(mode)) return flush(a);
  return a;
}

}  // namespace compass::isa
