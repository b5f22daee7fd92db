// SPDX-License-Identifier: MIT
#pragma once

#include "driverless/isa/convert.h"

/// Functions of one float, and its exponent and fraction.
///
/// Where hardware only promises a bound the result is correctly rounded (docs/isa-errata.md
/// #transcendental). An argument without a result gives a NaN with its sign set.
namespace compass::isa {

template <class D>
constexpr F32<D> frcp(const Mode& mode, F32<D> a) {
  a = enter(mode, a);
  return leave(mode, undefined_rule(F32<D>{D::frcp32(a.rep)}, a));
}
template <class D>
constexpr F32<D> fsqrt(const Mode& mode, F32<D> a) {
  a = enter(mode, a);
  return leave(mode, undefined_rule(F32<D>{D::fsqrt32(a.rep)}, a));
}
template <class D>
constexpr F32<D> frsq(const Mode& mode, F32<D> a) {
  a = enter(mode, a);
  return leave(mode, undefined_rule(F32<D>{D::frsq32(a.rep)}, a));
}
template <class D>
constexpr F32<D> fexp2(const Mode& mode, F32<D> a) {
  a = enter(mode, a);
  return leave(mode, undefined_rule(F32<D>{D::fexp2_32(a.rep)}, a));
}
template <class D>
constexpr F32<D> flog2(const Mode& mode, F32<D> a) {
  a = enter(mode, a);
  return leave(mode, undefined_rule(F32<D>{D::flog2_32(a.rep)}, a));
}
template <class D>
constexpr F32<D> fsin(const Mode& mode, F32<D> a) {
  a = enter(mode, a);
  return leave(mode, undefined_rule(F32<D>{D::fsin32(a.rep)}, a));
}
template <class D>
constexpr F32<D> fcos(const Mode& mode, F32<D> a) {
  a = enter(mode, a);
  return leave(mode, undefined_rule(F32<D>{D::fcos32(a.rep)}, a));
}

/// Rounds `result`, a single that is exact or odd, to the half that a function of `a` returns.
template <class D>
constexpr F16<D> half_result(const Mode& mode, typename D::u32 result, F16<D> a) {
  return leave(mode, undefined_rule(narrow(mode, F32<D>{result}), a));
}
// A single's quotient or root of halves, rounded again, is rounded as if once.
template <class D>
constexpr F16<D> frcp(const Mode& mode, F16<D> a) {
  a = enter(mode, a);
  return half_result(mode, D::frcp32(f16_to_f32(a).rep), a);
}
template <class D>
constexpr F16<D> fsqrt(const Mode& mode, F16<D> a) {
  a = enter(mode, a);
  return half_result(mode, D::fsqrt32(f16_to_f32(a).rep), a);
}
template <class D>
constexpr F16<D> frsq(const Mode& mode, F16<D> a) {
  a = enter(mode, a);
  return half_result(mode, D::frsq_sticky(f16_to_f32(a).rep), a);
}
template <class D>
constexpr F16<D> fexp2(const Mode& mode, F16<D> a) {
  a = enter(mode, a);
  return half_result(mode, D::fexp2_sticky(f16_to_f32(a).rep), a);
}
template <class D>
constexpr F16<D> flog2(const Mode& mode, F16<D> a) {
  a = enter(mode, a);
  return half_result(mode, D::flog2_sticky(f16_to_f32(a).rep), a);
}
template <class D>
constexpr F16<D> fsin(const Mode& mode, F16<D> a) {
  a = enter(mode, a);
  return half_result(mode, D::fsin_sticky(f16_to_f32(a).rep), a);
}
template <class D>
constexpr F16<D> fcos(const Mode& mode, F16<D> a) {
  a = enter(mode, a);
  return half_result(mode, D::fcos_sticky(f16_to_f32(a).rep), a);
}
template <class D>
constexpr F64<D> frcp(const Mode& mode, F64<D> a) {
  a = enter(mode, a);
  return leave(mode, undefined_rule(F64<D>{D::frcp64(a.rep)}, a));
}
template <class D>
constexpr F64<D> fsqrt(const Mode& mode, F64<D> a) {
  a = enter(mode, a);
  return leave(mode, undefined_rule(F64<D>{D::fsqrt64(a.rep)}, a));
}
template <class D>
constexpr F64<D> frsq(const Mode& mode, F64<D> a) {
  a = enter(mode, a);
  return leave(mode, undefined_rule(F64<D>{D::frsq64(a.rep)}, a));
}

// a = fraction * 2^exponent with 0.5 <= |fraction| < 1. Zero gives 0 and 0; infinity and NaN give
// themselves and 0.

/// By how many places a subnormal's fraction must move up to be normal. Of a half: in single.
template <class D>
constexpr U32<D> subnormal_shift(F32<D> a) {
  return leading_zeros(magnitude(a)) - like(bits(a), 8u);
}
template <class D>
constexpr U32<D> subnormal_shift(F64<D> a) {
  U32<D> high = hi32(magnitude(a)), low = lo32(bits(a));
  U32<D> zeros =
      select(high == like(high, 0u), leading_zeros(low) + like(low, 32u), leading_zeros(high));
  return zeros - like(zeros, 11u);
}
template <class D>
constexpr U32<D> frexp_exponent(F32<D> a) {
  U32<D> field = magnitude(a) >> like(bits(a), 23u);
  U32<D> subnormal = like(field, 0u - 125u) - subnormal_shift(a);
  U32<D> finite = select(is_tiny(a), subnormal, field - like(field, 126u));
  return select(is_zero(a) | (field == like(field, 0xFFu)), like(field, 0u), finite);
}
template <class D>
constexpr U32<D> frexp_exponent(F64<D> a) {
  U32<D> field = hi32(magnitude(a)) >> like(hi32(bits(a)), 20u);
  U32<D> subnormal = like(field, 0u - 1021u) - subnormal_shift(a);
  U32<D> finite = select(is_tiny(a), subnormal, field - like(field, 1022u));
  return select(is_zero(a) | (field == like(field, 0x7FFu)), like(field, 0u), finite);
}
template <class D>
constexpr U32<D> frexp_exponent(F16<D> a) {
  return frexp_exponent(f16_to_f32(a));
}
template <class D>
constexpr F32<D> frexp_fraction(F32<D> a) {
  U32<D> value = magnitude(a);
  U32<D> moved = select(is_tiny(a), value << (subnormal_shift(a) & like(value, 31u)), value);
  U32<D> scaled = (moved & like(value, 0x7F'FFFFu)) | like(value, 126u << 23) | sign_of(a);
  B1<D> is_finite = value < like(value, 0x7F80'0000u);
  return select(is_zero(a) | !is_finite, select(is_nan(a), quiet(a), a), as_f32(scaled));
}
template <class D>
constexpr F64<D> frexp_fraction(F64<D> a) {
  using Format = FloatFields<F64<D>>;
  U64<D> value = magnitude(a);
  U64<D> places = zext64(subnormal_shift(a) & like(lo32(value), 63u));
  U64<D> moved = select(is_tiny(a), value << places, value);
  U64<D> scaled = (moved & like(value, (std::uint64_t{1} << 52) - 1)) |
                  like(value, std::uint64_t{1022} << 52) | sign_of(a);
  B1<D> is_finite = value < like(value, Format::kInfinity);
  return select(is_zero(a) | !is_finite, select(is_nan(a), quiet(a), a), as_f64(scaled));
}
template <class D>
constexpr F16<D> frexp_fraction(F16<D> a) {
  return narrow(Mode{}, frexp_fraction(f16_to_f32(a)));
}
static_assert(frexp_exponent(F32<C>{1}).rep == 0u - 148);
static_assert(frexp_fraction(F32<C>{1}).rep == 0x3F00'0000);
static_assert(frexp_exponent(F32<C>{0xC040'0000}).rep == 2, "-3 is -0.75 * 2^2");
static_assert(frexp_fraction(F32<C>{0xC040'0000}).rep == 0xBF40'0000);
static_assert(frexp_exponent(F64<C>{1}).rep == 0u - 1073);
static_assert(frexp_fraction(F64<C>{3}).rep == 0x3FE8'0000'0000'0000);

/// a * 2^exponent, rounded once.
template <class D>
constexpr F32<D> fldexp(const Mode& mode, F32<D> a, U32<D> exponent) {
  a = enter(mode, a);
  // In double's range the product is exact.
  U32<D> power = saturate_signed(exponent, 0u - 400u, 400u) + like(exponent, 1023u);
  U64<D> factor = zext64(power) << like(zext64(power), std::uint64_t{52});
  typename D::u64 product = D::fmul64(D::f32_to_f64(a.rep), factor.rep);
  return leave(mode, nan_rule(F32<D>{D::f64_to_f32(product)}, a));
}
template <class D>
constexpr F16<D> fldexp(const Mode& mode, F16<D> a, U32<D> exponent) {
  a = enter(mode, a);
  U32<D> power = saturate_signed(exponent, 0u - 60u, 60u) + like(exponent, 127u);
  F32<D> product = {D::fmul32(f16_to_f32(a).rep, (power << like(power, 23u)).rep)};
  return leave(mode, nan_rule(narrow(mode, product), a));
}
template <class D>
constexpr F64<D> fldexp(const Mode& mode, F64<D> a, U32<D> exponent) {
  a = enter(mode, a);
  return leave(mode, nan_rule(F64<D>{D::fldexp64(a.rep, exponent.rep)}, a));
}
static_assert(fldexp(Mode{}, F32<C>{0x3F80'0001}, U32<C>{0u - 149}).rep == 1);
static_assert(fldexp(Mode{}, F16<C>{0x3C00}, U32<C>{16}).rep == 0x7C00);

}  // namespace compass::isa
