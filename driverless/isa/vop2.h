// SPDX-License-Identifier: MIT
#pragma once

#include "driverless/isa/convert.h"
#include "driverless/isa/dot.h"
#include "driverless/isa/functions.h"

/// VOP2: lane operations with two sources. Manual: CDNA3 ISA, "VOP2 instructions".
namespace compass::isa {

/// V_CNDMASK_B32. D = VCC ? S1 : S0. Bits, but abs and neg may change the sign bits of the sources.
template <class D>
constexpr F32<D> v_cndmask_b32(F32<D> s0, F32<D> s1, B1<D> vcc) {
  return select(vcc, s1, s0);
}

static_assert(v_cndmask_b32(F32<C>{1}, F32<C>{2}, B1<C>{true}).rep == 2);

template <class D>
constexpr F32<D> v_add_f32(Mode mode, F32<D> s0, F32<D> s1) {
  return fadd(mode, s0, s1);
}

template <class D>
constexpr F32<D> v_sub_f32(Mode mode, F32<D> s0, F32<D> s1) {
  return fadd(mode, s0, fneg(s1));
}

template <class D>
constexpr F32<D> v_subrev_f32(Mode mode, F32<D> s0, F32<D> s1) {
  return fadd(mode, s1, fneg(s0));
}

template <class D>
constexpr F32<D> v_mul_f32(Mode mode, F32<D> s0, F32<D> s1) {
  return fmul(mode, s0, s1);
}

template <class D>
constexpr F32<D> v_min_f32(Mode mode, F32<D> s0, F32<D> s1) {
  return fmin(mode, s0, s1);
}

template <class D>
constexpr F32<D> v_max_f32(Mode mode, F32<D> s0, F32<D> s1) {
  return fmax(mode, s0, s1);
}

template <class D>
constexpr F16<D> v_add_f16(Mode mode, F16<D> s0, F16<D> s1) {
  return fadd(mode, s0, s1);
}

template <class D>
constexpr F16<D> v_sub_f16(Mode mode, F16<D> s0, F16<D> s1) {
  return fadd(mode, s0, fneg(s1));
}

template <class D>
constexpr F16<D> v_subrev_f16(Mode mode, F16<D> s0, F16<D> s1) {
  return fadd(mode, s1, fneg(s0));
}

template <class D>
constexpr F16<D> v_mul_f16(Mode mode, F16<D> s0, F16<D> s1) {
  return fmul(mode, s0, s1);
}

template <class D>
constexpr F16<D> v_min_f16(Mode mode, F16<D> s0, F16<D> s1) {
  return fmin(mode, s0, s1);
}

template <class D>
constexpr F16<D> v_max_f16(Mode mode, F16<D> s0, F16<D> s1) {
  return fmax(mode, s0, s1);
}

template <class D>
constexpr F64<D> v_add_f64(Mode mode, F64<D> s0, F64<D> s1) {
  return fadd(mode, s0, s1);
}

template <class D>
constexpr F64<D> v_mul_f64(Mode mode, F64<D> s0, F64<D> s1) {
  return fmul(mode, s0, s1);
}

template <class D>
constexpr F64<D> v_min_f64(Mode mode, F64<D> s0, F64<D> s1) {
  return fmin(mode, s0, s1);
}

template <class D>
constexpr F64<D> v_max_f64(Mode mode, F64<D> s0, F64<D> s1) {
  return fmax(mode, s0, s1);
}

static_assert(v_max_f32(Mode{}, F32<C>{0x8000'0000}, F32<C>{0}).rep == 0, "+0 before -0");
static_assert(v_max_f32(Mode{}, F32<C>{0x7FC0'0000}, F32<C>{0x3F80'0000}).rep == 0x3F80'0000);
static_assert(v_max_f32(Mode{}, F32<C>{0x7F80'0001}, F32<C>{0}).rep == 0x7FC0'0001, "made quiet");
static_assert(v_add_f16(Mode{}, F16<C>{0x7BFF}, F16<C>{0x4C00}).rep == 0x7C00,
              "a tie rounds to even");
static_assert(v_add_f16(Mode{}, F16<C>{0x0001}, F16<C>{0x8002}).rep == 0x8001, "subnormals");
static_assert(v_mul_f16(Mode{}, F16<C>{0x3C01}, F16<C>{0x3C01}).rep == 0x3C02);

/// V_MUL_LEGACY_F32. Zero times anything is +0.
template <class D>
constexpr F32<D> v_mul_legacy_f32(Mode mode, F32<D> s0, F32<D> s1) {
  B1<D> zero = is_zero(enter(mode, s0)) | is_zero(enter(mode, s1));
  return select(zero, like(s0, 0u), fmul(mode, s0, s1));
}

template <class D>
constexpr U32<D> v_mul_i32_i24(U32<D> s0, U32<D> s1) {
  return sign_extend(s0, 24) * sign_extend(s1, 24);
}

static_assert(v_mul_i32_i24(U32<C>{0xFF'FFFF}, U32<C>{5}).rep == 0u - 5, "bit 23 is the sign");

template <class D>
constexpr U32<D> v_mul_hi_i32_i24(U32<D> s0, U32<D> s1) {
  return hi32(sext64(sign_extend(s0, 24)) * sext64(sign_extend(s1, 24)));
}

template <class D>
constexpr U32<D> low24(U32<D> a) {
  return a & like(a, 0xFF'FFFFu);
}

template <class D>
constexpr U32<D> v_mul_u32_u24(U32<D> s0, U32<D> s1) {
  return low24(s0) * low24(s1);
}

template <class D>
constexpr U32<D> v_mul_hi_u32_u24(U32<D> s0, U32<D> s1) {
  return hi32(zext64(low24(s0)) * zext64(low24(s1)));
}

template <class D>
constexpr U32<D> v_min_i32(U32<D> s0, U32<D> s1) {
  return select(slt(s0, s1), s0, s1);
}

template <class D>
constexpr U32<D> v_max_i32(U32<D> s0, U32<D> s1) {
  return select(slt(s0, s1), s1, s0);
}

template <class D>
constexpr U32<D> v_min_u32(U32<D> s0, U32<D> s1) {
  return select(s0 < s1, s0, s1);
}

template <class D>
constexpr U32<D> v_max_u32(U32<D> s0, U32<D> s1) {
  return select(s0 < s1, s1, s0);
}

/// Shifts take the count first, modulo the width.
template <class D>
constexpr U32<D> v_lshrrev_b32(U32<D> s0, U32<D> s1) {
  return s1 >> (s0 & like(s0, 31u));
}

static_assert(v_lshrrev_b32(U32<C>{36}, U32<C>{0xFF}).rep == 0xF, "count is modulo 32");

template <class D>
constexpr U32<D> v_ashrrev_i32(U32<D> s0, U32<D> s1) {
  return ashr(s1, s0 & like(s0, 31u));
}

template <class D>
constexpr U32<D> v_lshlrev_b32(U32<D> s0, U32<D> s1) {
  return s1 << (s0 & like(s0, 31u));
}

template <class D>
constexpr U32<D> v_and_b32(U32<D> s0, U32<D> s1) {
  return s0 & s1;
}

template <class D>
constexpr U32<D> v_or_b32(U32<D> s0, U32<D> s1) {
  return s0 | s1;
}

template <class D>
constexpr U32<D> v_xor_b32(U32<D> s0, U32<D> s1) {
  return s0 ^ s1;
}

template <class D>
constexpr U32<D> v_xnor_b32(U32<D> s0, U32<D> s1) {
  return ~(s0 ^ s1);
}

template <class D>
constexpr U32<D> v_add_u32(U32<D> s0, U32<D> s1) {
  return s0 + s1;
}

template <class D>
constexpr U32<D> v_sub_u32(U32<D> s0, U32<D> s1) {
  return s0 - s1;
}

template <class D>
constexpr U32<D> v_subrev_u32(U32<D> s0, U32<D> s1) {
  return s1 - s0;
}

template <class D>
struct SumAndCarry {
  U32<D> vdst;
  B1<D> vcc;
};

/// V_ADD_CO_U32. D = S0 + S1; the carry out goes to this lane's bit of VCC.
template <class D>
constexpr SumAndCarry<D> v_add_co_u32(U32<D> s0, U32<D> s1) {
  U32<D> sum = s0 + s1;
  return {.vdst = sum, .vcc = sum < s0};
}

static_assert(v_add_co_u32(U32<C>{~0u}, U32<C>{1}).vcc.rep, "carry");

/// V_SUB_CO_U32. VCC is the borrow.
template <class D>
constexpr SumAndCarry<D> v_sub_co_u32(U32<D> s0, U32<D> s1) {
  return {.vdst = s0 - s1, .vcc = s0 < s1};
}

template <class D>
constexpr SumAndCarry<D> v_subrev_co_u32(U32<D> s0, U32<D> s1) {
  return v_sub_co_u32(s1, s0);
}

/// V_ADDC_CO_U32. D = S0 + S1 + VCC's bit; the carry out goes there too.
template <class D>
constexpr SumAndCarry<D> v_addc_co_u32(U32<D> s0, U32<D> s1, B1<D> carry) {
  U64<D> sum = zext64(s0) + zext64(s1) + zext64(zext32(carry));
  return {.vdst = lo32(sum), .vcc = hi32(sum) != like(s0, 0u)};
}

static_assert(v_addc_co_u32(U32<C>{~0u}, U32<C>{0}, B1<C>{true}).vcc.rep, "carry from carry");

template <class D>
constexpr SumAndCarry<D> v_subb_co_u32(U32<D> s0, U32<D> s1, B1<D> carry) {
  U64<D> difference = zext64(s0) - zext64(s1) - zext64(zext32(carry));
  return {.vdst = lo32(difference), .vcc = hi32(difference) != like(s0, 0u)};
}

template <class D>
constexpr SumAndCarry<D> v_subbrev_co_u32(U32<D> s0, U32<D> s1, B1<D> carry) {
  return v_subb_co_u32(s1, s0, carry);
}

/// D = S0 * S1 + D, rounded once.
template <class D>
constexpr F32<D> v_fmac_f32(Mode mode, F32<D> s0, F32<D> s1, F32<D> vdst) {
  return ffma(mode, s0, s1, vdst);
}

template <class D>
constexpr F64<D> v_fmac_f64(Mode mode, F64<D> s0, F64<D> s1, F64<D> vdst) {
  return ffma(mode, s0, s1, vdst);
}

/// V_FMAMK_F32. D = S0 * K + S1.
template <class D>
constexpr F32<D> v_fmamk_f32(Mode mode, F32<D> s0, F32<D> k, F32<D> s1) {
  return ffma(mode, s0, k, s1);
}

/// V_FMAAK_F32. D = S0 * S1 + K.
template <class D>
constexpr F32<D> v_fmaak_f32(Mode mode, F32<D> s0, F32<D> s1, F32<D> k) {
  return ffma(mode, s0, s1, k);
}

template <class D>
constexpr U16<D> v_add_u16(U16<D> s0, U16<D> s1) {
  return low16(zext(s0) + zext(s1));
}

template <class D>
constexpr U16<D> v_sub_u16(U16<D> s0, U16<D> s1) {
  return low16(zext(s0) - zext(s1));
}

template <class D>
constexpr U16<D> v_subrev_u16(U16<D> s0, U16<D> s1) {
  return v_sub_u16(s1, s0);
}

template <class D>
constexpr U16<D> v_mul_lo_u16(U16<D> s0, U16<D> s1) {
  return low16(zext(s0) * zext(s1));
}

template <class D>
constexpr U16<D> v_lshlrev_b16(U16<D> s0, U16<D> s1) {
  return low16(zext(s1) << (zext(s0) & like(zext(s0), 15u)));
}

template <class D>
constexpr U16<D> v_lshrrev_b16(U16<D> s0, U16<D> s1) {
  return low16(zext(s1) >> (zext(s0) & like(zext(s0), 15u)));
}

template <class D>
constexpr U16<D> v_ashrrev_i16(U16<D> s0, U16<D> s1) {
  return low16(ashr(sext(s1), zext(s0) & like(zext(s0), 15u)));
}

static_assert(v_ashrrev_i16(U16<C>{17}, U16<C>{0x8000}).rep == 0xC000, "count is modulo 16");

template <class D>
constexpr U16<D> v_max_u16(U16<D> s0, U16<D> s1) {
  return select(zext(s0) < zext(s1), s1, s0);
}

template <class D>
constexpr U16<D> v_max_i16(U16<D> s0, U16<D> s1) {
  return select(slt(sext(s0), sext(s1)), s1, s0);
}

template <class D>
constexpr U16<D> v_min_u16(U16<D> s0, U16<D> s1) {
  return select(zext(s0) < zext(s1), s0, s1);
}

template <class D>
constexpr U16<D> v_min_i16(U16<D> s0, U16<D> s1) {
  return select(slt(sext(s0), sext(s1)), s0, s1);
}

/// V_LDEXP_F16. D = S0 * 2^S1, rounded once.
template <class D>
constexpr F16<D> v_ldexp_f16(Mode mode, F16<D> s0, U16<D> s1) {
  return fldexp(mode, s0, sext(s1));
}

/// Sums of products of bytes or nibbles, added to D, modulo 2^32.
template <class D>
constexpr U32<D> v_dot4c_i32_i8(U32<D> s0, U32<D> s1, U32<D> vdst) {
  return dot_signed<4>(s0, s1, vdst);
}

template <class D>
constexpr U32<D> v_dot8c_i32_i4(U32<D> s0, U32<D> s1, U32<D> vdst) {
  return dot_signed<8>(s0, s1, vdst);
}

}  // namespace compass::isa
