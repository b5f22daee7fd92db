// SPDX-License-Identifier: MIT
#pragma once

#include "driverless/isa/domain.h"
#include "driverless/isa/float.h"

/// VOP3P: packed lane operations. op_sel, op_sel_hi, neg_lo and neg_hi have chosen and negated the
/// halves before a meaning sees them. Manual: CDNA3 ISA, "VOP3P instructions".
namespace compass::isa {

template <class D>
constexpr Pair<F32<D>> v_pk_add_f32(Mode mode, Pair<F32<D>> s0, Pair<F32<D>> s1) {
  return {fadd(mode, s0.lo, s1.lo), fadd(mode, s0.hi, s1.hi)};
}
template <class D>
constexpr Pair<F32<D>> v_pk_mul_f32(Mode mode, Pair<F32<D>> s0, Pair<F32<D>> s1) {
  return {fmul(mode, s0.lo, s1.lo), fmul(mode, s0.hi, s1.hi)};
}
template <class D>
constexpr Pair<F32<D>> v_pk_fma_f32(Mode mode, Pair<F32<D>> s0, Pair<F32<D>> s1,
                                    Pair<F32<D>> s2) {
  return {ffma(mode, s0.lo, s1.lo, s2.lo), ffma(mode, s0.hi, s1.hi, s2.hi)};
}
/// V_PK_MOV_B32. The low result is the half of S0 that op_sel[0] chooses, the high one the half of S1
/// that op_sel[1] chooses: selection has put each into `lo`.
template <class D>
constexpr Pair<U32<D>> v_pk_mov_b32(Pair<U32<D>> s0, Pair<U32<D>> s1) {
  return {s0.lo, s1.lo};
}

}  // namespace compass::isa
