// SPDX-License-Identifier: MIT
#pragma once

#include "driverless/isa/convert.h"

/// VOPC: comparisons, one bit a lane; lanes that are off in EXEC give 0. V_CMPX also sets EXEC.
/// Manual: CDNA3 ISA, "VOPC instructions".
namespace compass::isa {

// Float: lt, eq, le, gt, lg, ge are false with a NaN; the n-forms are their negations. o: ordered.

template <class D>
constexpr B1<D> v_cmp_lt_f32(Mode mode, F32<D> s0, F32<D> s1) {
  return flt(enter(mode, s0), enter(mode, s1));
}

template <class D>
constexpr B1<D> v_cmp_eq_f32(Mode mode, F32<D> s0, F32<D> s1) {
  return feq(enter(mode, s0), enter(mode, s1));
}

template <class D>
constexpr B1<D> v_cmp_le_f32(Mode mode, F32<D> s0, F32<D> s1) {
  return fle(enter(mode, s0), enter(mode, s1));
}

template <class D>
constexpr B1<D> v_cmp_gt_f32(Mode mode, F32<D> s0, F32<D> s1) {
  return flt(enter(mode, s1), enter(mode, s0));
}

template <class D>
constexpr B1<D> v_cmp_lg_f32(Mode mode, F32<D> s0, F32<D> s1) {
  return v_cmp_lt_f32(mode, s0, s1) | v_cmp_lt_f32(mode, s1, s0);
}

template <class D>
constexpr B1<D> v_cmp_ge_f32(Mode mode, F32<D> s0, F32<D> s1) {
  return fle(enter(mode, s1), enter(mode, s0));
}

template <class D>
constexpr B1<D> v_cmp_o_f32(F32<D> s0, F32<D> s1) {
  return !(is_nan(s0) | is_nan(s1));
}

template <class D>
constexpr B1<D> v_cmp_nge_f32(Mode mode, F32<D> s0, F32<D> s1) {
  return !v_cmp_ge_f32(mode, s0, s1);
}

template <class D>
constexpr B1<D> v_cmp_nlg_f32(Mode mode, F32<D> s0, F32<D> s1) {
  return !v_cmp_lg_f32(mode, s0, s1);
}

template <class D>
constexpr B1<D> v_cmp_ngt_f32(Mode mode, F32<D> s0, F32<D> s1) {
  return !v_cmp_gt_f32(mode, s0, s1);
}

template <class D>
constexpr B1<D> v_cmp_nle_f32(Mode mode, F32<D> s0, F32<D> s1) {
  return !v_cmp_le_f32(mode, s0, s1);
}

template <class D>
constexpr B1<D> v_cmp_neq_f32(Mode mode, F32<D> s0, F32<D> s1) {
  return !v_cmp_eq_f32(mode, s0, s1);
}

template <class D>
constexpr B1<D> v_cmp_nlt_f32(Mode mode, F32<D> s0, F32<D> s1) {
  return !v_cmp_lt_f32(mode, s0, s1);
}

template <class D>
constexpr B1<D> v_cmp_u_f32(F32<D> s0, F32<D> s1) {
  return is_nan(s0) | is_nan(s1);
}

template <class D>
constexpr B1<D> v_cmp_lt_f64(Mode mode, F64<D> s0, F64<D> s1) {
  return flt(enter(mode, s0), enter(mode, s1));
}

template <class D>
constexpr B1<D> v_cmp_eq_f64(Mode mode, F64<D> s0, F64<D> s1) {
  return feq(enter(mode, s0), enter(mode, s1));
}

template <class D>
constexpr B1<D> v_cmp_le_f64(Mode mode, F64<D> s0, F64<D> s1) {
  return fle(enter(mode, s0), enter(mode, s1));
}

template <class D>
constexpr B1<D> v_cmp_gt_f64(Mode mode, F64<D> s0, F64<D> s1) {
  return flt(enter(mode, s1), enter(mode, s0));
}

template <class D>
constexpr B1<D> v_cmp_lg_f64(Mode mode, F64<D> s0, F64<D> s1) {
  return v_cmp_lt_f64(mode, s0, s1) | v_cmp_lt_f64(mode, s1, s0);
}

template <class D>
constexpr B1<D> v_cmp_ge_f64(Mode mode, F64<D> s0, F64<D> s1) {
  return fle(enter(mode, s1), enter(mode, s0));
}

template <class D>
constexpr B1<D> v_cmp_o_f64(F64<D> s0, F64<D> s1) {
  return !(is_nan(s0) | is_nan(s1));
}

template <class D>
constexpr B1<D> v_cmp_nge_f64(Mode mode, F64<D> s0, F64<D> s1) {
  return !v_cmp_ge_f64(mode, s0, s1);
}

template <class D>
constexpr B1<D> v_cmp_nlg_f64(Mode mode, F64<D> s0, F64<D> s1) {
  return !v_cmp_lg_f64(mode, s0, s1);
}

template <class D>
constexpr B1<D> v_cmp_ngt_f64(Mode mode, F64<D> s0, F64<D> s1) {
  return !v_cmp_gt_f64(mode, s0, s1);
}

template <class D>
constexpr B1<D> v_cmp_nle_f64(Mode mode, F64<D> s0, F64<D> s1) {
  return !v_cmp_le_f64(mode, s0, s1);
}

template <class D>
constexpr B1<D> v_cmp_neq_f64(Mode mode, F64<D> s0, F64<D> s1) {
  return !v_cmp_eq_f64(mode, s0, s1);
}

template <class D>
constexpr B1<D> v_cmp_nlt_f64(Mode mode, F64<D> s0, F64<D> s1) {
  return !v_cmp_lt_f64(mode, s0, s1);
}

template <class D>
constexpr B1<D> v_cmp_u_f64(F64<D> s0, F64<D> s1) {
  return is_nan(s0) | is_nan(s1);
}

template <class D>
constexpr B1<D> v_cmp_lt_f16(Mode mode, F16<D> s0, F16<D> s1) {
  return flt(enter(mode, s0), enter(mode, s1));
}

template <class D>
constexpr B1<D> v_cmp_eq_f16(Mode mode, F16<D> s0, F16<D> s1) {
  return feq(enter(mode, s0), enter(mode, s1));
}

template <class D>
constexpr B1<D> v_cmp_le_f16(Mode mode, F16<D> s0, F16<D> s1) {
  return fle(enter(mode, s0), enter(mode, s1));
}

template <class D>
constexpr B1<D> v_cmp_gt_f16(Mode mode, F16<D> s0, F16<D> s1) {
  return flt(enter(mode, s1), enter(mode, s0));
}

template <class D>
constexpr B1<D> v_cmp_lg_f16(Mode mode, F16<D> s0, F16<D> s1) {
  return v_cmp_lt_f16(mode, s0, s1) | v_cmp_lt_f16(mode, s1, s0);
}

template <class D>
constexpr B1<D> v_cmp_ge_f16(Mode mode, F16<D> s0, F16<D> s1) {
  return fle(enter(mode, s1), enter(mode, s0));
}

template <class D>
constexpr B1<D> v_cmp_o_f16(F16<D> s0, F16<D> s1) {
  return !(is_nan(s0) | is_nan(s1));
}

template <class D>
constexpr B1<D> v_cmp_nge_f16(Mode mode, F16<D> s0, F16<D> s1) {
  return !v_cmp_ge_f16(mode, s0, s1);
}

template <class D>
constexpr B1<D> v_cmp_nlg_f16(Mode mode, F16<D> s0, F16<D> s1) {
  return !v_cmp_lg_f16(mode, s0, s1);
}

template <class D>
constexpr B1<D> v_cmp_ngt_f16(Mode mode, F16<D> s0, F16<D> s1) {
  return !v_cmp_gt_f16(mode, s0, s1);
}

template <class D>
constexpr B1<D> v_cmp_nle_f16(Mode mode, F16<D> s0, F16<D> s1) {
  return !v_cmp_le_f16(mode, s0, s1);
}

template <class D>
constexpr B1<D> v_cmp_neq_f16(Mode mode, F16<D> s0, F16<D> s1) {
  return !v_cmp_eq_f16(mode, s0, s1);
}

template <class D>
constexpr B1<D> v_cmp_nlt_f16(Mode mode, F16<D> s0, F16<D> s1) {
  return !v_cmp_lt_f16(mode, s0, s1);
}

template <class D>
constexpr B1<D> v_cmp_u_f16(F16<D> s0, F16<D> s1) {
  return is_nan(s0) | is_nan(s1);
}

/// Which of the classes that `mask` names by bits 9:0 a float is in: signalling NaN, quiet NaN,
/// -infinity, -normal, -subnormal, -0, +0, +subnormal, +normal, +infinity.
template <class V, class D>
constexpr B1<D> is_in_class(V a, U32<D> mask) {
  const auto bit = [&](unsigned n) { return like(mask, 1u << n); };
  U32<D> positive = select(is_zero(a), bit(6),
                           select(is_tiny(a), bit(7), select(is_infinite(a), bit(9), bit(8))));
  U32<D> negative = select(is_zero(a), bit(5),
                           select(is_tiny(a), bit(4), select(is_infinite(a), bit(2), bit(3))));
  U32<D> number = select(is_negative(a), negative, positive);
  U32<D> own = select(is_signalling_nan(a), bit(0), select(is_nan(a), bit(1), number));
  return (own & mask) != like(mask, 0u);
}
static_assert(is_in_class(F32<C>{0x8000'0001}, U32<C>{0x10}).rep, "-subnormal");
static_assert(!is_in_class(F32<C>{0x7FC0'0000}, U32<C>{0x3FD}).rep, "a quiet NaN is nothing else");

template <class D>
constexpr B1<D> v_cmp_class_f32(F32<D> s0, U32<D> s1) {
  return is_in_class(s0, s1);
}

template <class D>
constexpr B1<D> v_cmp_class_f64(F64<D> s0, U32<D> s1) {
  return is_in_class(s0, s1);
}

template <class D>
constexpr B1<D> v_cmp_class_f16(F16<D> s0, U32<D> s1) {
  return is_in_class(s0, s1);
}

template <class D>
constexpr B1<D> v_cmp_lt_u32(U32<D> s0, U32<D> s1) {
  return s0 < s1;
}

template <class D>
constexpr B1<D> v_cmp_eq_u32(U32<D> s0, U32<D> s1) {
  return s0 == s1;
}

template <class D>
constexpr B1<D> v_cmp_le_u32(U32<D> s0, U32<D> s1) {
  return !(s1 < s0);
}

template <class D>
constexpr B1<D> v_cmp_gt_u32(U32<D> s0, U32<D> s1) {
  return s1 < s0;
}

template <class D>
constexpr B1<D> v_cmp_ne_u32(U32<D> s0, U32<D> s1) {
  return s0 != s1;
}

template <class D>
constexpr B1<D> v_cmp_ge_u32(U32<D> s0, U32<D> s1) {
  return !(s0 < s1);
}

template <class D>
constexpr B1<D> v_cmp_lt_i32(U32<D> s0, U32<D> s1) {
  return slt(s0, s1);
}

template <class D>
constexpr B1<D> v_cmp_le_i32(U32<D> s0, U32<D> s1) {
  return !slt(s1, s0);
}

template <class D>
constexpr B1<D> v_cmp_gt_i32(U32<D> s0, U32<D> s1) {
  return slt(s1, s0);
}

template <class D>
constexpr B1<D> v_cmp_ge_i32(U32<D> s0, U32<D> s1) {
  return !slt(s0, s1);
}

template <class D>
constexpr B1<D> v_cmp_lt_u64(U64<D> s0, U64<D> s1) {
  return s0 < s1;
}

template <class D>
constexpr B1<D> v_cmp_eq_u64(U64<D> s0, U64<D> s1) {
  return s0 == s1;
}

template <class D>
constexpr B1<D> v_cmp_le_u64(U64<D> s0, U64<D> s1) {
  return !(s1 < s0);
}

template <class D>
constexpr B1<D> v_cmp_gt_u64(U64<D> s0, U64<D> s1) {
  return s1 < s0;
}

template <class D>
constexpr B1<D> v_cmp_ne_u64(U64<D> s0, U64<D> s1) {
  return s0 != s1;
}

template <class D>
constexpr B1<D> v_cmp_ge_u64(U64<D> s0, U64<D> s1) {
  return !(s0 < s1);
}

template <class D>
constexpr B1<D> v_cmp_lt_i64(U64<D> s0, U64<D> s1) {
  return slt(s0, s1);
}

template <class D>
constexpr B1<D> v_cmp_le_i64(U64<D> s0, U64<D> s1) {
  return !slt(s1, s0);
}

template <class D>
constexpr B1<D> v_cmp_gt_i64(U64<D> s0, U64<D> s1) {
  return slt(s1, s0);
}

template <class D>
constexpr B1<D> v_cmp_ge_i64(U64<D> s0, U64<D> s1) {
  return !slt(s0, s1);
}

template <class D>
constexpr B1<D> v_cmp_lt_u16(U16<D> s0, U16<D> s1) {
  return zext(s0) < zext(s1);
}

template <class D>
constexpr B1<D> v_cmp_eq_u16(U16<D> s0, U16<D> s1) {
  return zext(s0) == zext(s1);
}

template <class D>
constexpr B1<D> v_cmp_le_u16(U16<D> s0, U16<D> s1) {
  return !(zext(s1) < zext(s0));
}

template <class D>
constexpr B1<D> v_cmp_gt_u16(U16<D> s0, U16<D> s1) {
  return zext(s1) < zext(s0);
}

template <class D>
constexpr B1<D> v_cmp_ne_u16(U16<D> s0, U16<D> s1) {
  return zext(s0) != zext(s1);
}

template <class D>
constexpr B1<D> v_cmp_ge_u16(U16<D> s0, U16<D> s1) {
  return !(zext(s0) < zext(s1));
}

template <class D>
constexpr B1<D> v_cmp_lt_i16(U16<D> s0, U16<D> s1) {
  return slt(sext(s0), sext(s1));
}

template <class D>
constexpr B1<D> v_cmp_le_i16(U16<D> s0, U16<D> s1) {
  return !slt(sext(s1), sext(s0));
}

template <class D>
constexpr B1<D> v_cmp_gt_i16(U16<D> s0, U16<D> s1) {
  return slt(sext(s1), sext(s0));
}

template <class D>
constexpr B1<D> v_cmp_ge_i16(U16<D> s0, U16<D> s1) {
  return !slt(sext(s0), sext(s1));
}

}  // namespace compass::isa
