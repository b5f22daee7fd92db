// SPDX-License-Identifier: MIT
#pragma once

#include "driverless/isa/domain.h"
#include "driverless/isa/float.h"

/// VOP1: lane operations with one source. Manual: CDNA3 ISA, "VOP1 instructions".
///
/// The transcendental ones promise 1 ulp in the manual; here they are correctly rounded, and subnormal
/// inputs and results are kept (docs/isa-errata.md#transcendental).
namespace compass::isa {

template <class D>
constexpr U32<D> v_mov_b32(U32<D> s0) {
  return s0;
}
template <class D>
constexpr U64<D> v_mov_b64(U64<D> s0) {
  return s0;
}
template <class D>
constexpr U32<D> v_not_b32(U32<D> s0) {
  return ~s0;
}
template <class D>
constexpr F32<D> v_cvt_f32_i32(Mode mode, U32<D> s0) {
  return i32_to_f32(mode, s0);
}
template <class D>
constexpr F32<D> v_cvt_f32_u32(Mode mode, U32<D> s0) {
  return u32_to_f32(mode, s0);
}
/// V_CVT_I32_F32. Towards zero, saturating; NaN gives 0.
template <class D>
constexpr U32<D> v_cvt_i32_f32(F32<D> s0) {
  return f32_to_i32(s0);
}
template <class D>
constexpr U32<D> v_cvt_u32_f32(F32<D> s0) {
  return f32_to_u32(s0);
}
/// V_EXP_F32. Two to the power of S0.
template <class D>
constexpr F32<D> v_exp_f32(Mode mode, F32<D> s0) {
  return fexp2(mode, s0);
}
/// V_LOG_F32. Logarithm to base two.
template <class D>
constexpr F32<D> v_log_f32(Mode mode, F32<D> s0) {
  return flog2(mode, s0);
}
template <class D>
constexpr F32<D> v_rcp_f32(Mode mode, F32<D> s0) {
  return frcp(mode, s0);
}
template <class D>
constexpr F32<D> v_rsq_f32(Mode mode, F32<D> s0) {
  return frsq(mode, s0);
}
template <class D>
constexpr F32<D> v_sqrt_f32(Mode mode, F32<D> s0) {
  return fsqrt(mode, s0);
}

}  // namespace compass::isa
