// SPDX-License-Identifier: MIT
#pragma once

#include "driverless/isa/concrete.h"
#include "driverless/isa/half.h"

/// Floating-point operations by name, each taking the mode, so that none forgets it; for singles,
/// doubles and halves alike.
///
/// NaNs: an operation with a NaN operand returns the first one, made quiet; one that makes a NaN of
/// numbers returns 0x7fc00000 (or its like). Which of several NaN operands is returned is assumed
/// (docs/isa-errata.md#nan). A frame has set the rounding of `D`'s operations to the mode's.
namespace compass::isa {

// The operations of the domain, without the rules for NaNs and subnormals. Halves: sums and
// products of two halves, rounded to single, then to half, are rounded as if once; a fused
// operation needs double.

template <class D>
constexpr F32<D> raw_add(const Mode&, F32<D> a, F32<D> b) {
  return {D::fadd32(a.rep, b.rep)};
}
template <class D>
constexpr F64<D> raw_add(const Mode&, F64<D> a, F64<D> b) {
  return {D::fadd64(a.rep, b.rep)};
}
template <class D>
constexpr F16<D> raw_add(const Mode& mode, F16<D> a, F16<D> b) {
  return narrow(mode, raw_add(mode, f16_to_f32(a), f16_to_f32(b)));
}
template <class D>
constexpr F32<D> raw_mul(const Mode&, F32<D> a, F32<D> b) {
  return {D::fmul32(a.rep, b.rep)};
}
template <class D>
constexpr F64<D> raw_mul(const Mode&, F64<D> a, F64<D> b) {
  return {D::fmul64(a.rep, b.rep)};
}
template <class D>
constexpr F16<D> raw_mul(const Mode& mode, F16<D> a, F16<D> b) {
  return narrow(mode, raw_mul(mode, f16_to_f32(a), f16_to_f32(b)));
}
template <class D>
constexpr F32<D> raw_fma(const Mode&, F32<D> a, F32<D> b, F32<D> c) {
  return {D::ffma32(a.rep, b.rep, c.rep)};
}
template <class D>
constexpr F64<D> raw_fma(const Mode&, F64<D> a, F64<D> b, F64<D> c) {
  return {D::ffma64(a.rep, b.rep, c.rep)};
}
/// The product is exact in double. The sum is too, or one term is so small that it decides nothing
/// but a direction, which double keeps.
template <class D>
constexpr F16<D> raw_fma(const Mode& mode, F16<D> a, F16<D> b, F16<D> c) {
  const auto wide = [](F16<D> v) { return F64<D>{D::f32_to_f64(f16_to_f32(v).rep)}; };
  return narrow(mode, to_odd(raw_add(mode, raw_mul(mode, wide(a), wide(b)), wide(c))));
}

template <class V>
constexpr V fadd(const Mode& mode, V a, V b) {
  a = enter(mode, a), b = enter(mode, b);
  return leave(mode, nan_rule(raw_add(mode, a, b), a, b));
}
template <class V>
constexpr V fmul(const Mode& mode, V a, V b) {
  a = enter(mode, a), b = enter(mode, b);
  return leave(mode, nan_rule(raw_mul(mode, a, b), a, b));
}
/// a * b + c, rounded once.
template <class V>
constexpr V ffma(const Mode& mode, V a, V b, V c) {
  a = enter(mode, a), b = enter(mode, b), c = enter(mode, c);
  return leave(mode, nan_rule(raw_fma(mode, a, b, c), a, b, c));
}

// Ordered comparisons: false with a NaN.
template <class D>
constexpr B1<D> flt(F32<D> a, F32<D> b) {
  return {D::flt32(a.rep, b.rep)};
}
template <class D>
constexpr B1<D> feq(F32<D> a, F32<D> b) {
  return {D::feq32(a.rep, b.rep)};
}
template <class D>
constexpr B1<D> flt(F64<D> a, F64<D> b) {
  return {D::flt64(a.rep, b.rep)};
}
template <class D>
constexpr B1<D> feq(F64<D> a, F64<D> b) {
  return {D::feq64(a.rep, b.rep)};
}
template <class D>
constexpr B1<D> flt(F16<D> a, F16<D> b) {
  return flt(f16_to_f32(a), f16_to_f32(b));
}
template <class D>
constexpr B1<D> feq(F16<D> a, F16<D> b) {
  return feq(f16_to_f32(a), f16_to_f32(b));
}
template <class V>
constexpr auto fle(V a, V b) {
  return flt(a, b) | feq(a, b);
}

/// The greater one; a number before a quiet NaN, a signalling NaN made quiet before everything, +0
/// before -0.
template <class V>
constexpr V fmax(const Mode& mode, V a, V b) {
  a = enter(mode, a), b = enter(mode, b);
  // For equal operands only the signs of zeros can differ: AND keeps +0.
  V equal = as_float(a, bits(a) & bits(b));
  V number = select(flt(a, b), b, select(feq(a, b), equal, a));
  V one = select(is_nan(a), b, select(is_nan(b), a, number));
  return leave(mode,
               select(is_signalling_nan(a), quiet(a), select(is_signalling_nan(b), quiet(b), one)));
}
template <class V>
constexpr V fmin(const Mode& mode, V a, V b) {
  a = enter(mode, a), b = enter(mode, b);
  V equal = as_float(a, bits(a) | bits(b));
  V number = select(flt(b, a), b, select(feq(a, b), equal, a));
  V one = select(is_nan(a), b, select(is_nan(b), a, number));
  return leave(mode,
               select(is_signalling_nan(a), quiet(a), select(is_signalling_nan(b), quiet(b), one)));
}
/// The middle one; with a NaN the least.
template <class V>
constexpr V fmed3(const Mode& mode, V a, V b, V c) {
  V middle = fmax(mode, fmin(mode, a, b), fmin(mode, fmax(mode, a, b), c));
  V least = fmin(mode, fmin(mode, a, b), c);
  return select(is_nan(a) | is_nan(b) | is_nan(c), least, middle);
}
/// The greater one, but a NaN, made quiet, before every number.
template <class V>
constexpr V fmaximum(const Mode& mode, V a, V b) {
  return nan_rule(fmax(mode, a, b), a, b);
}
template <class V>
constexpr V fminimum(const Mode& mode, V a, V b) {
  return nan_rule(fmin(mode, a, b), a, b);
}

}  // namespace compass::isa
