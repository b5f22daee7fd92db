// SPDX-License-Identifier: MIT
#pragma once

#include "driverless/isa/domain.h"
#include "driverless/isa/float.h"

/// VOPC: comparisons, one bit a lane; lanes that are off in EXEC give 0. Manual: CDNA3 ISA, "VOPC
/// instructions".
namespace compass::isa {

// Float: lt, eq, le, gt, lg, ge are false with a NaN; the n-forms are their negations. o: ordered.

template <class D>
constexpr B1<D> v_cmp_lt_f32(F32<D> s0, F32<D> s1) {
  return flt(s0, s1);
}
template <class D>
constexpr B1<D> v_cmp_eq_f32(F32<D> s0, F32<D> s1) {
  return feq(s0, s1);
}
template <class D>
constexpr B1<D> v_cmp_le_f32(F32<D> s0, F32<D> s1) {
  return fle(s0, s1);
}
template <class D>
constexpr B1<D> v_cmp_gt_f32(F32<D> s0, F32<D> s1) {
  return flt(s1, s0);
}
template <class D>
constexpr B1<D> v_cmp_lg_f32(F32<D> s0, F32<D> s1) {
  return flt(s0, s1) | flt(s1, s0);
}
template <class D>
constexpr B1<D> v_cmp_ge_f32(F32<D> s0, F32<D> s1) {
  return fle(s1, s0);
}
template <class D>
constexpr B1<D> v_cmp_o_f32(F32<D> s0, F32<D> s1) {
  return !(is_nan(s0) | is_nan(s1));
}
template <class D>
constexpr B1<D> v_cmp_nge_f32(F32<D> s0, F32<D> s1) {
  return !v_cmp_ge_f32(s0, s1);
}
template <class D>
constexpr B1<D> v_cmp_nlg_f32(F32<D> s0, F32<D> s1) {
  return !v_cmp_lg_f32(s0, s1);
}
template <class D>
constexpr B1<D> v_cmp_ngt_f32(F32<D> s0, F32<D> s1) {
  return !v_cmp_gt_f32(s0, s1);
}
template <class D>
constexpr B1<D> v_cmp_nle_f32(F32<D> s0, F32<D> s1) {
  return !v_cmp_le_f32(s0, s1);
}
template <class D>
constexpr B1<D> v_cmp_neq_f32(F32<D> s0, F32<D> s1) {
  return !v_cmp_eq_f32(s0, s1);
}
template <class D>
constexpr B1<D> v_cmp_nlt_f32(F32<D> s0, F32<D> s1) {
  return !v_cmp_lt_f32(s0, s1);
}
template <class D>
constexpr B1<D> v_cmp_u_f32(F32<D> s0, F32<D> s1) {
  return !v_cmp_o_f32(s0, s1);
}

// Signed.

template <class D>
constexpr B1<D> v_cmp_lt_i32(U32<D> s0, U32<D> s1) {
  return slt(s0, s1);
}
template <class D>
constexpr B1<D> v_cmp_eq_i32(U32<D> s0, U32<D> s1) {
  return s0 == s1;
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
constexpr B1<D> v_cmp_ne_i32(U32<D> s0, U32<D> s1) {
  return s0 != s1;
}
template <class D>
constexpr B1<D> v_cmp_ge_i32(U32<D> s0, U32<D> s1) {
  return !slt(s0, s1);
}

// Unsigned.

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
  return !(s0 > s1);
}
template <class D>
constexpr B1<D> v_cmp_gt_u32(U32<D> s0, U32<D> s1) {
  return s0 > s1;
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
constexpr B1<D> v_cmp_lt_u64(U64<D> s0, U64<D> s1) {
  return s0 < s1;
}
template <class D>
constexpr B1<D> v_cmp_eq_u64(U64<D> s0, U64<D> s1) {
  return s0 == s1;
}
template <class D>
constexpr B1<D> v_cmp_le_u64(U64<D> s0, U64<D> s1) {
  return !(s0 > s1);
}
template <class D>
constexpr B1<D> v_cmp_gt_u64(U64<D> s0, U64<D> s1) {
  return s0 > s1;
}
template <class D>
constexpr B1<D> v_cmp_ne_u64(U64<D> s0, U64<D> s1) {
  return s0 != s1;
}
template <class D>
constexpr B1<D> v_cmp_ge_u64(U64<D> s0, U64<D> s1) {
  return !(s0 < s1);
}

}  // namespace compass::isa
