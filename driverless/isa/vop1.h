// SPDX-License-Identifier: MIT
#pragma once

#include "driverless/isa/float8.h"

/// VOP1: lane operations with one source. Manual: CDNA3 ISA, "VOP1 instructions".
///
/// Functions for which the manual promises a bound are correctly rounded, and subnormal inputs and
/// results are kept as the mode says (docs/isa-errata.md#transcendental).
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
struct Swapped {
  U32<D> vdst, vsrc;
};
template <class D>
constexpr Swapped<D> v_swap_b32(U32<D> vdst, U32<D> s0) {
  return {.vdst = s0, .vsrc = vdst};
}
template <class D>
constexpr U32<D> v_not_b32(U32<D> s0) {
  return ~s0;
}
template <class D>
constexpr U32<D> v_bfrev_b32(U32<D> s0) {
  return reverse_bits(s0);
}
static_assert(v_bfrev_b32(U32<C>{0x1234'5678}).rep == 0x1E6A'2C48);
/// V_FFBH_U32. The number of zeros above the highest one; -1 if there is no one.
template <class D>
constexpr U32<D> v_ffbh_u32(U32<D> s0) {
  return select(s0 == like(s0, 0u), like(s0, ~0u), leading_zeros(s0));
}
template <class D>
constexpr U32<D> v_ffbl_b32(U32<D> s0) {
  return select(s0 == like(s0, 0u), like(s0, ~0u), trailing_zeros(s0));
}
/// V_FFBH_I32. The number of bits above the highest that differs from the sign; -1 if none does.
template <class D>
constexpr U32<D> v_ffbh_i32(U32<D> s0) {
  return v_ffbh_u32(s0 ^ ashr(s0, like(s0, 31u)));
}
static_assert(v_ffbh_i32(U32<C>{0xFFFF'FFF0}).rep == 28 && v_ffbh_i32(U32<C>{~0u}).rep == ~0u);
template <class D>
constexpr F32<D> v_cvt_f32_u32(Mode mode, U32<D> s0) {
  return u32_to_f32(mode, s0);
}
template <class D>
constexpr F64<D> v_cvt_f64_u32(U32<D> s0) {
  return u32_to_f64(s0);
}
template <class D>
constexpr F32<D> v_cvt_f32_i32(Mode mode, U32<D> s0) {
  return i32_to_f32(mode, s0);
}
template <class D>
constexpr F64<D> v_cvt_f64_i32(U32<D> s0) {
  return i32_to_f64(s0);
}
template <class D>
constexpr F32<D> v_cvt_f32_ubyte0(Mode mode, U32<D> s0) {
  return u32_to_f32(mode, (s0 >> like(s0, 0u)) & like(s0, 0xFFu));
}
template <class D>
constexpr F32<D> v_cvt_f32_ubyte1(Mode mode, U32<D> s0) {
  return u32_to_f32(mode, (s0 >> like(s0, 8u)) & like(s0, 0xFFu));
}
template <class D>
constexpr F32<D> v_cvt_f32_ubyte2(Mode mode, U32<D> s0) {
  return u32_to_f32(mode, (s0 >> like(s0, 16u)) & like(s0, 0xFFu));
}
template <class D>
constexpr F32<D> v_cvt_f32_ubyte3(Mode mode, U32<D> s0) {
  return u32_to_f32(mode, (s0 >> like(s0, 24u)) & like(s0, 0xFFu));
}
/// V_CVT_I32_F32. Towards zero, saturating; NaN gives 0.
template <class D>
constexpr U32<D> v_cvt_i32_f32(Mode mode, F32<D> s0) {
  return f32_to_i32(enter(mode, s0));
}
template <class D>
constexpr U32<D> v_cvt_u32_f32(Mode mode, F32<D> s0) {
  return f32_to_u32(enter(mode, s0));
}
template <class D>
constexpr U32<D> v_cvt_i32_f64(Mode mode, F64<D> s0) {
  return f64_to_i32(enter(mode, s0));
}
template <class D>
constexpr U32<D> v_cvt_u32_f64(Mode mode, F64<D> s0) {
  return f64_to_u32(enter(mode, s0));
}
/// V_CVT_RPI_I32_F32. floor(S0 + 0.5), as an integer.
template <class D>
constexpr U32<D> v_cvt_rpi_i32_f32(Mode mode, F32<D> s0) {
  F32<D> half = like(s0, 0x3F00'0000u);
  return f32_to_i32(ffloor(mode, fadd(mode, s0, half)));
}
template <class D>
constexpr U32<D> v_cvt_flr_i32_f32(Mode mode, F32<D> s0) {
  return f32_to_i32(ffloor(mode, s0));
}
template <class D>
constexpr F32<D> v_cvt_f32_f64(Mode mode, F64<D> s0) {
  return f64_to_f32(mode, s0);
}
template <class D>
constexpr F64<D> v_cvt_f64_f32(Mode mode, F32<D> s0) {
  return f32_to_f64(mode, s0);
}
template <class D>
constexpr F32<D> v_cvt_f32_f16(Mode mode, F16<D> s0) {
  return f16_to_f32(enter(mode, s0));
}
template <class D>
constexpr F16<D> v_cvt_f16_f32(Mode mode, F32<D> s0) {
  return f32_to_f16(mode, s0);
}
template <class D>
constexpr F16<D> v_cvt_f16_u16(Mode mode, U16<D> s0) {
  return narrow(mode, u32_to_f32(mode, zext(s0)));
}
template <class D>
constexpr F16<D> v_cvt_f16_i16(Mode mode, U16<D> s0) {
  return narrow(mode, i32_to_f32(mode, sext(s0)));
}
template <class D>
constexpr U16<D> v_cvt_u16_f16(Mode mode, F16<D> s0) {
  return low16(saturate_unsigned(f32_to_u32(f16_to_f32(enter(mode, s0))), 0xFFFF));
}
template <class D>
constexpr U16<D> v_cvt_i16_f16(Mode mode, F16<D> s0) {
  U32<D> whole = f32_to_i32(f16_to_f32(enter(mode, s0)));
  return low16(saturate_signed(whole, 0u - 0x8000u, 0x7FFF));
}
static_assert(v_cvt_i16_f16(Mode{}, F16<C>{0xFC00}).rep == 0x8000 &&
              v_cvt_u16_f16(Mode{}, F16<C>{0xFC00}).rep == 0);
template <class D>
constexpr F32<D> v_fract_f32(Mode mode, F32<D> s0) {
  return ffract(mode, s0);
}
template <class D>
constexpr F64<D> v_fract_f64(Mode mode, F64<D> s0) {
  return ffract(mode, s0);
}
template <class D>
constexpr F16<D> v_fract_f16(Mode mode, F16<D> s0) {
  return ffract(mode, s0);
}
template <class D>
constexpr F32<D> v_trunc_f32(Mode mode, F32<D> s0) {
  return ftrunc(mode, s0);
}
template <class D>
constexpr F64<D> v_trunc_f64(Mode mode, F64<D> s0) {
  return ftrunc(mode, s0);
}
template <class D>
constexpr F16<D> v_trunc_f16(Mode mode, F16<D> s0) {
  return ftrunc(mode, s0);
}
template <class D>
constexpr F32<D> v_ceil_f32(Mode mode, F32<D> s0) {
  return fceil(mode, s0);
}
template <class D>
constexpr F64<D> v_ceil_f64(Mode mode, F64<D> s0) {
  return fceil(mode, s0);
}
template <class D>
constexpr F16<D> v_ceil_f16(Mode mode, F16<D> s0) {
  return fceil(mode, s0);
}
template <class D>
constexpr F32<D> v_rndne_f32(Mode mode, F32<D> s0) {
  return frndne(mode, s0);
}
template <class D>
constexpr F64<D> v_rndne_f64(Mode mode, F64<D> s0) {
  return frndne(mode, s0);
}
template <class D>
constexpr F16<D> v_rndne_f16(Mode mode, F16<D> s0) {
  return frndne(mode, s0);
}
template <class D>
constexpr F32<D> v_floor_f32(Mode mode, F32<D> s0) {
  return ffloor(mode, s0);
}
template <class D>
constexpr F64<D> v_floor_f64(Mode mode, F64<D> s0) {
  return ffloor(mode, s0);
}
template <class D>
constexpr F16<D> v_floor_f16(Mode mode, F16<D> s0) {
  return ffloor(mode, s0);
}
/// V_EXP_F32. Two to the power of S0.
template <class D>
constexpr F32<D> v_exp_f32(Mode mode, F32<D> s0) {
  return fexp2(mode, s0);
}
template <class D>
constexpr F16<D> v_exp_f16(Mode mode, F16<D> s0) {
  return fexp2(mode, s0);
}
/// V_LOG_F32. Logarithm to base two.
template <class D>
constexpr F32<D> v_log_f32(Mode mode, F32<D> s0) {
  return flog2(mode, s0);
}
template <class D>
constexpr F16<D> v_log_f16(Mode mode, F16<D> s0) {
  return flog2(mode, s0);
}
/// V_SIN_F32. Of S0 full turns.
template <class D>
constexpr F32<D> v_sin_f32(Mode mode, F32<D> s0) {
  return fsin(mode, s0);
}
template <class D>
constexpr F16<D> v_sin_f16(Mode mode, F16<D> s0) {
  return fsin(mode, s0);
}
/// V_COS_F32. Of S0 full turns.
template <class D>
constexpr F32<D> v_cos_f32(Mode mode, F32<D> s0) {
  return fcos(mode, s0);
}
template <class D>
constexpr F16<D> v_cos_f16(Mode mode, F16<D> s0) {
  return fcos(mode, s0);
}
template <class D>
constexpr F32<D> v_rcp_f32(Mode mode, F32<D> s0) {
  return frcp(mode, s0);
}
template <class D>
constexpr F64<D> v_rcp_f64(Mode mode, F64<D> s0) {
  return frcp(mode, s0);
}
template <class D>
constexpr F16<D> v_rcp_f16(Mode mode, F16<D> s0) {
  return frcp(mode, s0);
}
template <class D>
constexpr F32<D> v_rsq_f32(Mode mode, F32<D> s0) {
  return frsq(mode, s0);
}
template <class D>
constexpr F64<D> v_rsq_f64(Mode mode, F64<D> s0) {
  return frsq(mode, s0);
}
template <class D>
constexpr F16<D> v_rsq_f16(Mode mode, F16<D> s0) {
  return frsq(mode, s0);
}
template <class D>
constexpr F32<D> v_sqrt_f32(Mode mode, F32<D> s0) {
  return fsqrt(mode, s0);
}
template <class D>
constexpr F64<D> v_sqrt_f64(Mode mode, F64<D> s0) {
  return fsqrt(mode, s0);
}
template <class D>
constexpr F16<D> v_sqrt_f16(Mode mode, F16<D> s0) {
  return fsqrt(mode, s0);
}
/// V_RCP_IFLAG_F32. Differs from V_RCP_F32 in the exceptions that it raises.
template <class D>
constexpr F32<D> v_rcp_iflag_f32(Mode mode, F32<D> s0) {
  return frcp(mode, s0);
}
template <class D>
constexpr U32<D> v_frexp_exp_i32_f32(Mode mode, F32<D> s0) {
  return frexp_exponent(enter(mode, s0));
}
template <class D>
constexpr U32<D> v_frexp_exp_i32_f64(Mode mode, F64<D> s0) {
  return frexp_exponent(enter(mode, s0));
}
template <class D>
constexpr U16<D> v_frexp_exp_i16_f16(Mode mode, F16<D> s0) {
  return low16(frexp_exponent(enter(mode, s0)));
}
template <class D>
constexpr F32<D> v_frexp_mant_f32(Mode mode, F32<D> s0) {
  return frexp_fraction(enter(mode, s0));
}
template <class D>
constexpr F64<D> v_frexp_mant_f64(Mode mode, F64<D> s0) {
  return frexp_fraction(enter(mode, s0));
}
template <class D>
constexpr F16<D> v_frexp_mant_f16(Mode mode, F16<D> s0) {
  return frexp_fraction(enter(mode, s0));
}
template <class D>
constexpr F32<D> v_cvt_f32_fp8(U32<D> s0) {
  return float8_to_f32(kFp8, s0);
}
template <class D>
constexpr Pair<F32<D>> v_cvt_pk_f32_fp8(U32<D> s0) {
  return {float8_to_f32(kFp8, s0), float8_to_f32(kFp8, s0 >> like(s0, 8u))};
}
template <class D>
constexpr F32<D> v_cvt_f32_bf8(U32<D> s0) {
  return float8_to_f32(kBf8, s0);
}
template <class D>
constexpr Pair<F32<D>> v_cvt_pk_f32_bf8(U32<D> s0) {
  return {float8_to_f32(kBf8, s0), float8_to_f32(kBf8, s0 >> like(s0, 8u))};
}
template <class D>
constexpr F32<D> v_cvt_f32_fp8_fnuz(U32<D> s0) {
  return float8_to_f32(kFp8Fnuz, s0);
}
template <class D>
constexpr Pair<F32<D>> v_cvt_pk_f32_fp8_fnuz(U32<D> s0) {
  return {float8_to_f32(kFp8Fnuz, s0), float8_to_f32(kFp8Fnuz, s0 >> like(s0, 8u))};
}
template <class D>
constexpr F32<D> v_cvt_f32_bf8_fnuz(U32<D> s0) {
  return float8_to_f32(kBf8Fnuz, s0);
}
template <class D>
constexpr Pair<F32<D>> v_cvt_pk_f32_bf8_fnuz(U32<D> s0) {
  return {float8_to_f32(kBf8Fnuz, s0), float8_to_f32(kBf8Fnuz, s0 >> like(s0, 8u))};
}
template <class D>
constexpr U16<D> v_sat_pk_u8_i16(U32<D> s0) {
  U32<D> low = saturate_signed(sign_extend(s0, 16), 0, 255);
  U32<D> high = saturate_signed(ashr(s0, like(s0, 16u)), 0, 255);
  return low16(low | (high << like(high, 8u)));
}

}  // namespace compass::isa
