// SPDX-License-Identifier: MIT
#pragma once

#include "driverless/isa/vop3.h"

/// VOP3P: packed lane operations. op_sel, op_sel_hi, neg_lo and neg_hi have chosen and negated the
/// halves before a meaning sees them. Manual: CDNA3 ISA, "VOP3P instructions".
namespace compass::isa {

template <class D>
constexpr Pair<F32<D>> v_pk_add_f32(Mode mode, Pair<F32<D>> s0, Pair<F32<D>> s1) {
  return {fadd(mode, s0.lo, s1.lo), fadd(mode, s0.hi, s1.hi)};
}

template <class D>
constexpr Pair<F16<D>> v_pk_add_f16(Mode mode, Pair<F16<D>> s0, Pair<F16<D>> s1) {
  return {fadd(mode, s0.lo, s1.lo), fadd(mode, s0.hi, s1.hi)};
}

template <class D>
constexpr Pair<F32<D>> v_pk_mul_f32(Mode mode, Pair<F32<D>> s0, Pair<F32<D>> s1) {
  return {fmul(mode, s0.lo, s1.lo), fmul(mode, s0.hi, s1.hi)};
}

template <class D>
constexpr Pair<F16<D>> v_pk_mul_f16(Mode mode, Pair<F16<D>> s0, Pair<F16<D>> s1) {
  return {fmul(mode, s0.lo, s1.lo), fmul(mode, s0.hi, s1.hi)};
}

template <class D>
constexpr Pair<F16<D>> v_pk_min_f16(Mode mode, Pair<F16<D>> s0, Pair<F16<D>> s1) {
  return {fmin(mode, s0.lo, s1.lo), fmin(mode, s0.hi, s1.hi)};
}

template <class D>
constexpr Pair<F16<D>> v_pk_max_f16(Mode mode, Pair<F16<D>> s0, Pair<F16<D>> s1) {
  return {fmax(mode, s0.lo, s1.lo), fmax(mode, s0.hi, s1.hi)};
}

template <class D>
constexpr Pair<F32<D>> v_pk_fma_f32(Mode mode, Pair<F32<D>> s0, Pair<F32<D>> s1, Pair<F32<D>> s2) {
  return {ffma(mode, s0.lo, s1.lo, s2.lo), ffma(mode, s0.hi, s1.hi, s2.hi)};
}

template <class D>
constexpr Pair<F16<D>> v_pk_fma_f16(Mode mode, Pair<F16<D>> s0, Pair<F16<D>> s1, Pair<F16<D>> s2) {
  return {ffma(mode, s0.lo, s1.lo, s2.lo), ffma(mode, s0.hi, s1.hi, s2.hi)};
}

template <class D>
constexpr Pair<F16<D>> v_pk_minimum3_f16(Mode mode, Pair<F16<D>> s0, Pair<F16<D>> s1,
                                         Pair<F16<D>> s2) {
  return {fminimum(mode, fminimum(mode, s0.lo, s1.lo), s2.lo),
          fminimum(mode, fminimum(mode, s0.hi, s1.hi), s2.hi)};
}

template <class D>
constexpr Pair<F16<D>> v_pk_maximum3_f16(Mode mode, Pair<F16<D>> s0, Pair<F16<D>> s1,
                                         Pair<F16<D>> s2) {
  return {fmaximum(mode, fmaximum(mode, s0.lo, s1.lo), s2.lo),
          fmaximum(mode, fmaximum(mode, s0.hi, s1.hi), s2.hi)};
}

/// V_PK_MOV_B32. The low result is the half of S0 that op_sel[0] chooses, the high one the half of
/// S1 that op_sel[1] chooses: selection has put each into `lo`.
template <class D>
constexpr Pair<U32<D>> v_pk_mov_b32(Pair<U32<D>> s0, Pair<U32<D>> s1) {
  return {s0.lo, s1.lo};
}

template <class D>
constexpr Pair<U16<D>> v_pk_add_u16(Pair<U16<D>> s0, Pair<U16<D>> s1) {
  return {v_add_u16(s0.lo, s1.lo), v_add_u16(s0.hi, s1.hi)};
}

template <class D>
constexpr Pair<U16<D>> v_pk_sub_u16(Pair<U16<D>> s0, Pair<U16<D>> s1) {
  return {v_sub_u16(s0.lo, s1.lo), v_sub_u16(s0.hi, s1.hi)};
}

template <class D>
constexpr Pair<U16<D>> v_pk_mul_lo_u16(Pair<U16<D>> s0, Pair<U16<D>> s1) {
  return {v_mul_lo_u16(s0.lo, s1.lo), v_mul_lo_u16(s0.hi, s1.hi)};
}

template <class D>
constexpr Pair<U16<D>> v_pk_lshlrev_b16(Pair<U16<D>> s0, Pair<U16<D>> s1) {
  return {v_lshlrev_b16(s0.lo, s1.lo), v_lshlrev_b16(s0.hi, s1.hi)};
}

template <class D>
constexpr Pair<U16<D>> v_pk_lshrrev_b16(Pair<U16<D>> s0, Pair<U16<D>> s1) {
  return {v_lshrrev_b16(s0.lo, s1.lo), v_lshrrev_b16(s0.hi, s1.hi)};
}

template <class D>
constexpr Pair<U16<D>> v_pk_ashrrev_i16(Pair<U16<D>> s0, Pair<U16<D>> s1) {
  return {v_ashrrev_i16(s0.lo, s1.lo), v_ashrrev_i16(s0.hi, s1.hi)};
}

template <class D>
constexpr Pair<U16<D>> v_pk_max_i16(Pair<U16<D>> s0, Pair<U16<D>> s1) {
  return {v_max_i16(s0.lo, s1.lo), v_max_i16(s0.hi, s1.hi)};
}

template <class D>
constexpr Pair<U16<D>> v_pk_max_u16(Pair<U16<D>> s0, Pair<U16<D>> s1) {
  return {v_max_u16(s0.lo, s1.lo), v_max_u16(s0.hi, s1.hi)};
}

template <class D>
constexpr Pair<U16<D>> v_pk_min_i16(Pair<U16<D>> s0, Pair<U16<D>> s1) {
  return {v_min_i16(s0.lo, s1.lo), v_min_i16(s0.hi, s1.hi)};
}

template <class D>
constexpr Pair<U16<D>> v_pk_min_u16(Pair<U16<D>> s0, Pair<U16<D>> s1) {
  return {v_min_u16(s0.lo, s1.lo), v_min_u16(s0.hi, s1.hi)};
}

template <class D>
constexpr Pair<U16<D>> v_pk_mad_u16(Pair<U16<D>> s0, Pair<U16<D>> s1, Pair<U16<D>> s2) {
  return {v_mad_u16(s0.lo, s1.lo, s2.lo), v_mad_u16(s0.hi, s1.hi, s2.hi)};
}

/// V_FMA_MIX. Each source is a single, or with op_sel_hi the half that op_sel chooses.
template <class D>
constexpr F32<D> v_fma_mix_f32(Mode mode, Mixed<D> s0, Mixed<D> s1, Mixed<D> s2) {
  return ffma(mode, s0.value, s1.value, s2.value);
}

template <class D>
constexpr F16<D> v_fma_mixlo_f16(Mode mode, Mixed<D> s0, Mixed<D> s1, Mixed<D> s2) {
  return f32_to_f16(mode, v_fma_mix_f32(mode, s0, s1, s2));
}

template <class D>
constexpr U32<D> v_dot4_i32_i8(U32<D> s0, U32<D> s1, U32<D> s2) {
  return dot_signed<4>(s0, s1, s2);
}

template <class D>
constexpr U32<D> v_dot4_u32_u8(U32<D> s0, U32<D> s1, U32<D> s2) {
  return dot_unsigned<4>(s0, s1, s2);
}

template <class D>
constexpr U32<D> v_dot8_i32_i4(U32<D> s0, U32<D> s1, U32<D> s2) {
  return dot_signed<8>(s0, s1, s2);
}

template <class D>
constexpr U32<D> v_dot8_u32_u4(U32<D> s0, U32<D> s1, U32<D> s2) {
  return dot_unsigned<8>(s0, s1, s2);
}

template <class D>
constexpr U32<D> v_dot2_i32_i16(U32<D> s0, U32<D> s1, U32<D> s2) {
  return dot_signed<2>(s0, s1, s2);
}

template <class D>
constexpr U32<D> v_dot2_u32_u16(U32<D> s0, U32<D> s1, U32<D> s2) {
  return dot_unsigned<2>(s0, s1, s2);
}

template <class D>
constexpr U32<D> v_accvgpr_read_b32(U32<D> s0) {
  return s0;
}

}  // namespace compass::isa
