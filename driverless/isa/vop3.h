// SPDX-License-Identifier: MIT
#pragma once

#include "driverless/isa/division.h"
#include "driverless/isa/vop2.h"

/// VOP3: lane operations that exist only in the three-source encoding. Manual: CDNA3 ISA, "VOP3A
/// instructions".
namespace compass::isa {

template <class D>
constexpr F32<D> v_fma_f32(Mode mode, F32<D> s0, F32<D> s1, F32<D> s2) {
  return ffma(mode, s0, s1, s2);
}

template <class D>
constexpr F64<D> v_fma_f64(Mode mode, F64<D> s0, F64<D> s1, F64<D> s2) {
  return ffma(mode, s0, s1, s2);
}

template <class D>
constexpr F16<D> v_fma_f16(Mode mode, F16<D> s0, F16<D> s1, F16<D> s2) {
  return ffma(mode, s0, s1, s2);
}

static_assert(v_fma_f16(Mode{}, F16<C>{0x3C01}, F16<C>{0x3C01}, F16<C>{0xBC02}).rep == 0x0010);

/// V_BFE_U32. Extract the field of S0 that starts at bit S1[4:0] and is S2[4:0] bits wide.
template <class D>
constexpr U32<D> v_bfe_u32(U32<D> s0, U32<D> s1, U32<D> s2) {
  U32<D> offset = s1 & like(s1, 31u);
  U32<D> width = s2 & like(s2, 31u);
  U32<D> mask = (like(s2, 1u) << width) - like(s2, 1u);
  return (s0 >> offset) & mask;
}

static_assert(v_bfe_u32(U32<C>{0xFF}, U32<C>{0}, U32<C>{36}).rep == 0xF, "width is modulo 32");

/// V_BFE_I32. The same, with the highest bit of the field as a sign.
template <class D>
constexpr U32<D> v_bfe_i32(U32<D> s0, U32<D> s1, U32<D> s2) {
  U32<D> width = s2 & like(s2, 31u);
  U32<D> field = v_bfe_u32(s0, s1, s2);
  U32<D> unused = (like(width, 32u) - width) & like(width, 31u);
  return select(width == like(width, 0u), like(width, 0u), ashr(field << unused, unused));
}

static_assert(v_bfe_i32(U32<C>{0xF0}, U32<C>{4}, U32<C>{4}).rep == ~0u);
static_assert(v_bfe_i32(U32<C>{0x8000'0000}, U32<C>{31}, U32<C>{4}).rep == 1,
              "zeros come in above bit 31");

/// V_BFI_B32. Where S0 has a one the bit of S1, else that of S2.
template <class D>
constexpr U32<D> v_bfi_b32(U32<D> s0, U32<D> s1, U32<D> s2) {
  return (s0 & s1) | (~s0 & s2);
}

/// V_BFM_B32. S0[4:0] ones from bit S1[4:0].
template <class D>
constexpr U32<D> v_bfm_b32(U32<D> s0, U32<D> s1) {
  return ((like(s0, 1u) << (s0 & like(s0, 31u))) - like(s0, 1u)) << (s1 & like(s1, 31u));
}

/// V_ALIGNBIT_B32. {S0, S1} shifted right by S2[4:0] bits; V_ALIGNBYTE_B32 by S2[1:0] bytes.
template <class D>
constexpr U32<D> v_alignbit_b32(U32<D> s0, U32<D> s1, U32<D> s2) {
  return lo32(join64(s1, s0) >> zext64(s2 & like(s2, 31u)));
}

template <class D>
constexpr U32<D> v_alignbyte_b32(U32<D> s0, U32<D> s1, U32<D> s2) {
  return lo32(join64(s1, s0) >> zext64((s2 & like(s2, 3u)) << like(s2, 3u)));
}

static_assert(v_alignbit_b32(U32<C>{0x1}, U32<C>{0x8000'0000}, U32<C>{31}).rep == 3);

template <class D>
constexpr U32<D> v_mul_lo_u32(U32<D> s0, U32<D> s1) {
  return s0 * s1;
}

template <class D>
constexpr U32<D> v_mul_hi_u32(U32<D> s0, U32<D> s1) {
  return hi32(zext64(s0) * zext64(s1));
}

template <class D>
constexpr U32<D> v_mul_hi_i32(U32<D> s0, U32<D> s1) {
  return hi32(sext64(s0) * sext64(s1));
}

template <class D>
constexpr U32<D> v_mad_i32_i24(U32<D> s0, U32<D> s1, U32<D> s2) {
  return v_mul_i32_i24(s0, s1) + s2;
}

template <class D>
constexpr U32<D> v_mad_u32_u24(U32<D> s0, U32<D> s1, U32<D> s2) {
  return v_mul_u32_u24(s0, s1) + s2;
}

template <class D>
constexpr U32<D> v_add3_u32(U32<D> s0, U32<D> s1, U32<D> s2) {
  return s0 + s1 + s2;
}

template <class D>
constexpr U32<D> v_add_lshl_u32(U32<D> s0, U32<D> s1, U32<D> s2) {
  return (s0 + s1) << (s2 & like(s2, 31u));
}

static_assert(v_add_lshl_u32(U32<C>{1}, U32<C>{2}, U32<C>{34}).rep == 12, "count is modulo 32");

template <class D>
constexpr U32<D> v_lshl_add_u32(U32<D> s0, U32<D> s1, U32<D> s2) {
  return (s0 << (s1 & like(s1, 31u))) + s2;
}

template <class D>
constexpr U32<D> v_lshl_or_b32(U32<D> s0, U32<D> s1, U32<D> s2) {
  return (s0 << (s1 & like(s1, 31u))) | s2;
}

template <class D>
constexpr U32<D> v_and_or_b32(U32<D> s0, U32<D> s1, U32<D> s2) {
  return (s0 & s1) | s2;
}

template <class D>
constexpr U32<D> v_or3_b32(U32<D> s0, U32<D> s1, U32<D> s2) {
  return s0 | s1 | s2;
}

template <class D>
constexpr U32<D> v_xad_u32(U32<D> s0, U32<D> s1, U32<D> s2) {
  return (s0 ^ s1) + s2;
}

template <class D>
constexpr U32<D> v_add_i32(U32<D> s0, U32<D> s1) {
  return s0 + s1;
}

template <class D>
constexpr U32<D> v_sub_i32(U32<D> s0, U32<D> s1) {
  return s0 - s1;
}

template <class D>
constexpr U32<D> v_bcnt_u32_b32(U32<D> s0, U32<D> s1) {
  return popcount(s0) + s1;
}

template <class D>
constexpr U32<D> v_min3_i32(U32<D> s0, U32<D> s1, U32<D> s2) {
  return v_min_i32(v_min_i32(s0, s1), s2);
}

template <class D>
constexpr U32<D> v_min3_u32(U32<D> s0, U32<D> s1, U32<D> s2) {
  return v_min_u32(v_min_u32(s0, s1), s2);
}

template <class D>
constexpr U32<D> v_max3_i32(U32<D> s0, U32<D> s1, U32<D> s2) {
  return v_max_i32(v_max_i32(s0, s1), s2);
}

template <class D>
constexpr U32<D> v_max3_u32(U32<D> s0, U32<D> s1, U32<D> s2) {
  return v_max_u32(v_max_u32(s0, s1), s2);
}

template <class D>
constexpr U32<D> v_med3_i32(U32<D> s0, U32<D> s1, U32<D> s2) {
  return v_max_i32(v_min_i32(s0, s1), v_min_i32(v_max_i32(s0, s1), s2));
}

template <class D>
constexpr U32<D> v_med3_u32(U32<D> s0, U32<D> s1, U32<D> s2) {
  return v_max_u32(v_min_u32(s0, s1), v_min_u32(v_max_u32(s0, s1), s2));
}

template <class D>
constexpr U16<D> v_min3_i16(U16<D> s0, U16<D> s1, U16<D> s2) {
  return v_min_i16(v_min_i16(s0, s1), s2);
}

template <class D>
constexpr U16<D> v_max3_i16(U16<D> s0, U16<D> s1, U16<D> s2) {
  return v_max_i16(v_max_i16(s0, s1), s2);
}

template <class D>
constexpr U16<D> v_med3_i16(U16<D> s0, U16<D> s1, U16<D> s2) {
  return v_max_i16(v_min_i16(s0, s1), v_min_i16(v_max_i16(s0, s1), s2));
}

template <class D>
constexpr U16<D> v_min3_u16(U16<D> s0, U16<D> s1, U16<D> s2) {
  return v_min_u16(v_min_u16(s0, s1), s2);
}

template <class D>
constexpr U16<D> v_max3_u16(U16<D> s0, U16<D> s1, U16<D> s2) {
  return v_max_u16(v_max_u16(s0, s1), s2);
}

template <class D>
constexpr U16<D> v_med3_u16(U16<D> s0, U16<D> s1, U16<D> s2) {
  return v_max_u16(v_min_u16(s0, s1), v_min_u16(v_max_u16(s0, s1), s2));
}

template <class D>
constexpr F32<D> v_min3_f32(Mode mode, F32<D> s0, F32<D> s1, F32<D> s2) {
  return fmin(mode, fmin(mode, s0, s1), s2);
}

template <class D>
constexpr F32<D> v_max3_f32(Mode mode, F32<D> s0, F32<D> s1, F32<D> s2) {
  return fmax(mode, fmax(mode, s0, s1), s2);
}

template <class D>
constexpr F32<D> v_med3_f32(Mode mode, F32<D> s0, F32<D> s1, F32<D> s2) {
  return fmed3(mode, s0, s1, s2);
}

template <class D>
constexpr F16<D> v_min3_f16(Mode mode, F16<D> s0, F16<D> s1, F16<D> s2) {
  return fmin(mode, fmin(mode, s0, s1), s2);
}

template <class D>
constexpr F16<D> v_max3_f16(Mode mode, F16<D> s0, F16<D> s1, F16<D> s2) {
  return fmax(mode, fmax(mode, s0, s1), s2);
}

template <class D>
constexpr F16<D> v_med3_f16(Mode mode, F16<D> s0, F16<D> s1, F16<D> s2) {
  return fmed3(mode, s0, s1, s2);
}

/// A NaN before every number.
template <class D>
constexpr F32<D> v_minimum3_f32(Mode mode, F32<D> s0, F32<D> s1, F32<D> s2) {
  return fminimum(mode, fminimum(mode, s0, s1), s2);
}

template <class D>
constexpr F32<D> v_maximum3_f32(Mode mode, F32<D> s0, F32<D> s1, F32<D> s2) {
  return fmaximum(mode, fmaximum(mode, s0, s1), s2);
}

template <class D>
constexpr U16<D> v_mad_u16(U16<D> s0, U16<D> s1, U16<D> s2) {
  return low16(zext(s0) * zext(s1) + zext(s2));
}

template <class D>
constexpr U16<D> v_add_i16(U16<D> s0, U16<D> s1) {
  return low16(zext(s0) + zext(s1));
}

template <class D>
constexpr U16<D> v_sub_i16(U16<D> s0, U16<D> s1) {
  return low16(zext(s0) - zext(s1));
}

template <class D>
constexpr U32<D> v_mad_u32_u16(U16<D> s0, U16<D> s1, U32<D> s2) {
  return zext(s0) * zext(s1) + s2;
}

template <class D>
constexpr U32<D> v_mad_i32_i16(U16<D> s0, U16<D> s1, U32<D> s2) {
  return sext(s0) * sext(s1) + s2;
}

/// V_PACK_B32_F16. D = {S1, S0}. Signalling NaNs stay what they are, subnormals too.
template <class D>
constexpr U32<D> v_pack_b32_f16(F16<D> s0, F16<D> s1) {
  return bits(s0) | (bits(s1) << like(bits(s1), 16u));
}

/// V_LSHL_ADD_U64. D = (S0 << S1[2:0]) + S2. Counts above 4 are not defined by the manual.
template <class D>
constexpr U64<D> v_lshl_add_u64(U64<D> s0, U32<D> s1, U64<D> s2) {
  return (s0 << zext64(s1 & like(s1, 7u))) + s2;
}

static_assert(v_lshl_add_u64(U64<C>{0x8000'0000}, U32<C>{1}, U64<C>{4}).rep == 0x1'0000'0004);

/// 64-bit shifts take the count first, modulo 64.
template <class D>
constexpr U64<D> v_lshlrev_b64(U32<D> s0, U64<D> s1) {
  return s1 << zext64(s0 & like(s0, 63u));
}

template <class D>
constexpr U64<D> v_lshrrev_b64(U32<D> s0, U64<D> s1) {
  return s1 >> zext64(s0 & like(s0, 63u));
}

template <class D>
constexpr U64<D> v_ashrrev_i64(U32<D> s0, U64<D> s1) {
  return ashr(s1, zext64(s0 & like(s0, 63u)));
}

template <class D>
struct WideSumAndCarry {
  U64<D> vdst;
  B1<D> vcc;
};

/// V_MAD_U64_U32. D = S0 * S1 + S2; VCC is the carry out.
template <class D>
constexpr WideSumAndCarry<D> v_mad_u64_u32(U32<D> s0, U32<D> s1, U64<D> s2) {
  U64<D> sum = zext64(s0) * zext64(s1) + s2;
  return {.vdst = sum, .vcc = sum < s2};
}

/// V_MAD_I64_I32. VCC is signed overflow.
template <class D>
constexpr WideSumAndCarry<D> v_mad_i64_i32(U32<D> s0, U32<D> s1, U64<D> s2) {
  U64<D> product = sext64(s0) * sext64(s1);
  U64<D> sum = product + s2;
  U64<D> overflow = (product ^ sum) & (s2 ^ sum);
  return {.vdst = sum, .vcc = slt(overflow, like(sum, std::uint64_t{0}))};
}

template <class D>
constexpr F32<D> v_ldexp_f32(Mode mode, F32<D> s0, U32<D> s1) {
  return fldexp(mode, s0, s1);
}

template <class D>
constexpr F64<D> v_ldexp_f64(Mode mode, F64<D> s0, U32<D> s1) {
  return fldexp(mode, s0, s1);
}

template <class D>
constexpr Scaled<F32, D> v_div_scale_f32(F32<D> s0, F32<D> s1, F32<D> s2) {
  return div_scale(s0, s1, s2);
}

template <class D>
constexpr F32<D> v_div_fmas_f32(Mode mode, F32<D> s0, F32<D> s1, F32<D> s2, B1<D> vcc) {
  return div_fmas(mode, s0, s1, s2, vcc);
}

template <class D>
constexpr F32<D> v_div_fixup_f32(Mode mode, F32<D> s0, F32<D> s1, F32<D> s2) {
  return div_fixup(mode, s0, s1, s2);
}

template <class D>
constexpr Scaled<F64, D> v_div_scale_f64(F64<D> s0, F64<D> s1, F64<D> s2) {
  return div_scale(s0, s1, s2);
}

template <class D>
constexpr F64<D> v_div_fmas_f64(Mode mode, F64<D> s0, F64<D> s1, F64<D> s2, B1<D> vcc) {
  return div_fmas(mode, s0, s1, s2, vcc);
}

template <class D>
constexpr F64<D> v_div_fixup_f64(Mode mode, F64<D> s0, F64<D> s1, F64<D> s2) {
  return div_fixup(mode, s0, s1, s2);
}

template <class D>
constexpr F16<D> v_div_fixup_f16(Mode mode, F16<D> s0, F16<D> s1, F16<D> s2) {
  return div_fixup(mode, s0, s1, s2);
}

/// V_MBCNT_LO_U32_B32. The bits of S0 that stand for lanes below this one, of the first 32, counted
/// onto S1; V_MBCNT_HI_U32_B32: of the last 32.
template <class D>
constexpr U32<D> v_mbcnt_lo_u32_b32(U32<D> s0, U32<D> s1, U32<D> lane) {
  U32<D> below = (like(lane, 1u) << (lane & like(lane, 31u))) - like(lane, 1u);
  return popcount(s0 & select(lane < like(lane, 32u), below, like(lane, ~0u))) + s1;
}
template <class D>
constexpr U32<D> v_mbcnt_hi_u32_b32(U32<D> s0, U32<D> s1, U32<D> lane) {
  U32<D> below = (like(lane, 1u) << (lane & like(lane, 31u))) - like(lane, 1u);
  return popcount(s0 & select(lane < like(lane, 32u), like(lane, 0u), below)) + s1;
}
static_assert(v_mbcnt_lo_u32_b32(U32<C>{~0u}, U32<C>{1}, U32<C>{5}).rep == 6);
static_assert(v_mbcnt_lo_u32_b32(U32<C>{~0u}, U32<C>{0}, U32<C>{40}).rep == 32);
static_assert(v_mbcnt_hi_u32_b32(U32<C>{~0u}, U32<C>{0}, U32<C>{40}).rep == 8);

/// One byte of V_PERM_B32: `selector` 0 to 7 is that byte of {S0, S1}; 8 to 11 the sign of one of
/// its four halves, as a byte; 12 is 0x00; above, 0xFF.
template <class D>
constexpr U32<D> perm_byte(U64<D> data, U32<D> selector) {
  U32<D> index = selector & like(selector, 7u);
  U32<D> byte = lo32(data >> zext64(index << like(index, 3u))) & like(index, 0xFFu);
  U32<D> half = selector & like(selector, 3u);
  U32<D> sign_bit = (half << like(half, 4u)) + like(half, 15u);
  U32<D> sign = lo32(data >> zext64(sign_bit)) & like(half, 1u);
  U32<D> fill = like(selector, 0u) - sign;
  U32<D> constant =
      select(selector == like(selector, 12u), like(selector, 0u), like(selector, 0xFFu));
  U32<D> chosen = select(selector < like(selector, 12u), fill & like(fill, 0xFFu), constant);
  return select(selector < like(selector, 8u), byte, chosen);
}

/// V_PERM_B32. Each byte of S2 selects a byte of the result from {S0, S1}; S1 holds bytes 0 to 3.
template <class D>
constexpr U32<D> v_perm_b32(U32<D> s0, U32<D> s1, U32<D> s2) {
  U64<D> data = join64(s1, s0);
  U32<D> mask = like(s2, 0xFFu);
  U32<D> b0 = perm_byte(data, s2 & mask);
  U32<D> b1 = perm_byte(data, (s2 >> like(s2, 8u)) & mask);
  U32<D> b2 = perm_byte(data, (s2 >> like(s2, 16u)) & mask);
  U32<D> b3 = perm_byte(data, s2 >> like(s2, 24u));
  return b0 | (b1 << like(b1, 8u)) | (b2 << like(b2, 16u)) | (b3 << like(b3, 24u));
}

static_assert(v_perm_b32(U32<C>{0x77665544}, U32<C>{0x33221100}, U32<C>{0x07060302}).rep ==
              0x77663322);
static_assert(v_perm_b32(U32<C>{0x80000000}, U32<C>{0x00008000}, U32<C>{0x0D0C0B08}).rep ==
                  0xFF00'FFFF,
              "signs and constants");

/// V_BITOP3_B32. Each bit is the bit of the table that {S0, S1, S2} number.
template <class D>
constexpr U32<D> v_bitop3_b32(U32<D> s0, U32<D> s1, U32<D> s2, U32<D> table) {
  U32<D> result = like(s0, 0u);
  for (unsigned n = 0; n < 8; ++n) {
    U32<D> chosen = like(s0, 0u) - ((table >> like(table, n)) & like(table, 1u));
    result = result | (chosen & ((n & 4) != 0 ? s0 : ~s0) & ((n & 2) != 0 ? s1 : ~s1) &
                       ((n & 1) != 0 ? s2 : ~s2));
  }
  return result;
}

static_assert(v_bitop3_b32(U32<C>{0xF0}, U32<C>{0xCC}, U32<C>{0xAA}, U32<C>{0x36}).rep == 0x36);

template <class D>
constexpr U16<D> v_bitop3_b16(U16<D> s0, U16<D> s1, U16<D> s2, U32<D> table) {
  return low16(v_bitop3_b32(zext(s0), zext(s1), zext(s2), table));
}

}  // namespace compass::isa
