// SPDX-License-Identifier: MIT
#pragma once

#include "driverless/isa/float8.h"
#include "driverless/isa/vop3.h"

/// VOP3: conversions of two values into one register. Manual: CDNA3 ISA, "VOP3A instructions".
namespace compass::isa {

/// V_CVT_PK_BF16_F32. To the nearest, ties to even.
template <class D>
constexpr U32<D> v_cvt_pk_bf16_f32(F32<D> s0, F32<D> s1) {
  return zext(f32_to_bf16(s0)) | (zext(f32_to_bf16(s1)) << like(bits(s1), 16u));
}

template <class D>
constexpr U32<D> pack(F16<D> low, F16<D> high) {
  return v_pack_b32_f16(low, high);
}

template <class D>
constexpr U32<D> v_cvt_pk_f16_f32(Mode mode, F32<D> s0, F32<D> s1) {
  return pack(f32_to_f16(mode, s0), f32_to_f16(mode, s1));
}

/// V_CVT_PKRTZ_F16_F32. Towards zero in every mode.
template <class D>
constexpr U32<D> v_cvt_pkrtz_f16_f32(Mode mode, F32<D> s0, F32<D> s1) {
  mode.round_wide = Round::kTowardsZero;
  return pack(f32_to_f16(mode, s0), f32_to_f16(mode, s1));
}

/// Between -1 and 1, times 32767, to the nearest whole number.
template <class D>
constexpr U32<D> norm_i16(Mode mode, F32<D> a) {
  F32<D> scaled = frndne(mode, fmul(mode, a, like(a, 0x46FF'FE00u)));
  return saturate_signed(f32_to_i32(scaled), 0u - 0x7FFFu, 0x7FFF) & like(bits(a), 0xFFFFu);
}
template <class D>
constexpr U32<D> norm_u16(Mode mode, F32<D> a) {
  F32<D> scaled = frndne(mode, fmul(mode, a, like(a, 0x477F'FF00u)));
  return saturate_unsigned(f32_to_u32(scaled), 0xFFFF);
}

template <class D>
constexpr U32<D> v_cvt_pknorm_i16_f32(Mode mode, F32<D> s0, F32<D> s1) {
  return norm_i16(mode, s0) | (norm_i16(mode, s1) << like(bits(s1), 16u));
}

template <class D>
constexpr U32<D> v_cvt_pknorm_u16_f32(Mode mode, F32<D> s0, F32<D> s1) {
  return norm_u16(mode, s0) | (norm_u16(mode, s1) << like(bits(s1), 16u));
}

template <class D>
constexpr U32<D> v_cvt_pk_u16_u32(U32<D> s0, U32<D> s1) {
  return saturate_unsigned(s0, 0xFFFF) | (saturate_unsigned(s1, 0xFFFF) << like(s1, 16u));
}

template <class D>
constexpr U32<D> v_cvt_pk_i16_i32(U32<D> s0, U32<D> s1) {
  U32<D> low = saturate_signed(s0, 0u - 0x8000u, 0x7FFF) & like(s0, 0xFFFFu);
  return low | (saturate_signed(s1, 0u - 0x8000u, 0x7FFF) << like(s1, 16u));
}

/// V_CVT_PK_U8_F32. S2 with byte S1[1:0] replaced by S0, rounded to the nearest and saturated.
template <class D>
constexpr U32<D> v_cvt_pk_u8_f32(Mode mode, F32<D> s0, U32<D> s1, U32<D> s2) {
  U32<D> place = (s1 & like(s1, 3u)) << like(s1, 3u);
  U32<D> byte = saturate_unsigned(f32_to_u32(frndne(mode, s0)), 0xFF);
  return (s2 & ~(like(s2, 0xFFu) << place)) | (byte << place);
}

template <class D>
constexpr U16<D> pack_float8(Mode mode, const Float8Format& format, F32<D> s0, F32<D> s1) {
  U32<D> high = f32_to_float8(mode, format, s1);
  return low16(f32_to_float8(mode, format, s0) | (high << like(high, 8u)));
}

template <class D>
constexpr U16<D> v_cvt_pk_fp8_f32(Mode mode, F32<D> s0, F32<D> s1) {
  return pack_float8(mode, kFp8, s0, s1);
}

template <class D>
constexpr U16<D> v_cvt_pk_bf8_f32(Mode mode, F32<D> s0, F32<D> s1) {
  return pack_float8(mode, kBf8, s0, s1);
}

template <class D>
constexpr U16<D> v_cvt_pk_fp8_f32_fnuz(Mode mode, F32<D> s0, F32<D> s1) {
  return pack_float8(mode, kFp8Fnuz, s0, s1);
}

template <class D>
constexpr U16<D> v_cvt_pk_bf8_f32_fnuz(Mode mode, F32<D> s0, F32<D> s1) {
  return pack_float8(mode, kBf8Fnuz, s0, s1);
}

/// Bound only with a scale of 1.
template <class D>
constexpr U16<D> v_cvt_scalef32_pk_fp8_f32(Mode mode, F32<D> s0, F32<D> s1, F32<D> scale) {
  static_cast<void>(scale);
  return pack_float8(mode, kFp8, s0, s1);
}

template <class D>
constexpr U16<D> v_cvt_scalef32_pk_bf8_f32(Mode mode, F32<D> s0, F32<D> s1, F32<D> scale) {
  static_cast<void>(scale);
  return pack_float8(mode, kBf8, s0, s1);
}

}  // namespace compass::isa
