// SPDX-License-Identifier: MIT
#pragma once

#include "driverless/isa/domain.h"

/// Floating-point operations by name, each taking the mode, so that none forgets it.
///
/// NaNs: an operation with a NaN operand returns the first one, made quiet; one that makes a NaN of
/// numbers returns 0x7fc00000. Which of several NaN operands is returned is assumed (docs/isa-errata.md#nan).
namespace compass::isa {

template <class D>
constexpr B1<D> is_nan(F32<D> a) {
  return (bits(a) & like(bits(a), 0x7FFF'FFFFu)) > like(bits(a), 0x7F80'0000u);
}
template <class D>
constexpr B1<D> is_signalling_nan(F32<D> a) {
  return is_nan(a) & ((bits(a) & like(bits(a), 0x0040'0000u)) == like(bits(a), 0u));
}
template <class D>
constexpr F32<D> quiet(F32<D> a) {
  return as_f32(bits(a) | like(bits(a), 0x0040'0000u));
}

template <class D>
constexpr F32<D> nan_rule(F32<D> result, F32<D> a) {
  F32<D> made = select(is_nan(result), like(result, 0x7FC0'0000u), result);
  return select(is_nan(a), quiet(a), made);
}
template <class D>
constexpr F32<D> nan_rule(F32<D> result, F32<D> a, F32<D> b) {
  return select(is_nan(a), quiet(a), nan_rule(result, b));
}
template <class D>
constexpr F32<D> nan_rule(F32<D> result, F32<D> a, F32<D> b, F32<D> c) {
  return select(is_nan(a), quiet(a), nan_rule(result, b, c));
}

template <class D>
constexpr F32<D> fadd(Mode, F32<D> a, F32<D> b) {
  return nan_rule(F32<D>{D::fadd32(a.rep, b.rep)}, a, b);
}
template <class D>
constexpr F32<D> fmul(Mode, F32<D> a, F32<D> b) {
  return nan_rule(F32<D>{D::fmul32(a.rep, b.rep)}, a, b);
}
/// a * b + c, rounded once.
template <class D>
constexpr F32<D> ffma(Mode, F32<D> a, F32<D> b, F32<D> c) {
  return nan_rule(F32<D>{D::ffma32(a.rep, b.rep, c.rep)}, a, b, c);
}
template <class D>
constexpr F32<D> fneg(F32<D> a) {
  return as_f32(bits(a) ^ like(bits(a), 0x8000'0000u));
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
constexpr B1<D> fle(F32<D> a, F32<D> b) {
  return flt(a, b) | feq(a, b);
}

/// The greater one; a number before a quiet NaN, a signalling NaN made quiet before everything, +0
/// before -0.
template <class D>
constexpr F32<D> fmax(Mode, F32<D> a, F32<D> b) {
  // For equal operands only the signs of zeros can differ: AND keeps +0.
  F32<D> equal = as_f32(bits(a) & bits(b));
  F32<D> number = select(flt(a, b), b, select(feq(a, b), equal, a));
  F32<D> one = select(is_nan(a), b, select(is_nan(b), a, number));
  return select(is_signalling_nan(a), quiet(a), select(is_signalling_nan(b), quiet(b), one));
}
template <class D>
constexpr F32<D> fmin(Mode mode, F32<D> a, F32<D> b) {
  F32<D> equal = as_f32(bits(a) | bits(b));
  F32<D> number = select(flt(b, a), b, select(feq(a, b), equal, a));
  F32<D> one = select(is_nan(a), b, select(is_nan(b), a, number));
  static_cast<void>(mode);
  return select(is_signalling_nan(a), quiet(a), select(is_signalling_nan(b), quiet(b), one));
}

// Correctly rounded, where hardware only promises a bound: see each instruction.
template <class D>
constexpr F32<D> frcp(Mode, F32<D> a) {
  return nan_rule(F32<D>{D::frcp32(a.rep)}, a);
}
template <class D>
constexpr F32<D> fsqrt(Mode, F32<D> a) {
  return nan_rule(F32<D>{D::fsqrt32(a.rep)}, a);
}
template <class D>
constexpr F32<D> frsq(Mode, F32<D> a) {
  return nan_rule(F32<D>{D::frsq32(a.rep)}, a);
}
template <class D>
constexpr F32<D> fexp2(Mode, F32<D> a) {
  return nan_rule(F32<D>{D::fexp2_32(a.rep)}, a);
}
template <class D>
constexpr F32<D> flog2(Mode, F32<D> a) {
  return nan_rule(F32<D>{D::flog2_32(a.rep)}, a);
}

template <class D>
constexpr F32<D> u32_to_f32(Mode, U32<D> a) {
  return {D::u32_to_f32(a.rep)};
}
template <class D>
constexpr F32<D> i32_to_f32(Mode, U32<D> a) {
  return {D::i32_to_f32(a.rep)};
}
/// Towards zero; NaN gives 0, what is out of range the nearest end.
template <class D>
constexpr U32<D> f32_to_i32(F32<D> a) {
  return {D::f32_to_i32(a.rep)};
}
template <class D>
constexpr U32<D> f32_to_u32(F32<D> a) {
  return {D::f32_to_u32(a.rep)};
}

}  // namespace compass::isa
