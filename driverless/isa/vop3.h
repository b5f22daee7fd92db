// SPDX-License-Identifier: MIT
#pragma once

#include "driverless/isa/concrete.h"
#include "driverless/isa/domain.h"
#include "driverless/isa/float.h"

/// VOP3: lane operations that exist only in the three-source encoding. Manual: CDNA3 ISA, "VOP3A
/// instructions".
namespace compass::isa {

template <class D>
constexpr F32<D> v_fma_f32(Mode mode, F32<D> s0, F32<D> s1, F32<D> s2) {
  return ffma(mode, s0, s1, s2);
}

/// V_BFE_U32. Extract the field of S0 that starts at bit S1[4:0] and is S2[4:0] bits wide.
template <class D>
constexpr U32<D> v_bfe_u32(U32<D> s0, U32<D> s1, U32<D> s2) {
  U32<D> offset = s1 & like(s1, 31u);
  U32<D> width = s2 & like(s2, 31u);
  U32<D> mask = (like(s2, 1u) << width) - like(s2, 1u);
  return (s0 >> offset) & mask;
}
static_assert(v_bfe_u32(U32<C>{0xFF}, U32<C>{0}, U32<C>{36}).rep == 0xF, "width is modulo 32");

/// V_BFI_B32. Where S0 has a one the bit of S1, else that of S2.
template <class D>
constexpr U32<D> v_bfi_b32(U32<D> s0, U32<D> s1, U32<D> s2) {
  return (s0 & s1) | (~s0 & s2);
}
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
/// V_MAD_U64_U32 without its carry out would be another instruction: D = S0 * S1 + S2.
template <class D>
struct WideSumAndCarry {
  U64<D> vdst;
  B1<D> vcc;
};
template <class D>
constexpr WideSumAndCarry<D> v_mad_u64_u32(U32<D> s0, U32<D> s1, U64<D> s2) {
  U64<D> sum = zext64(s0) * zext64(s1) + s2;
  return {.vdst = sum, .vcc = sum < s2};
}

/// One byte of V_PERM_B32: `selector` 0 to 7 is that byte of {S0, S1}; 8 to 11 the sign of one of its
/// four halves, as a byte; 12 is 0x00; above, 0xFF.
template <class D>
constexpr U32<D> perm_byte(U64<D> data, U32<D> selector) {
  U32<D> index = selector & like(selector, 7u);
  U32<D> byte = lo32(data >> zext64(index << like(index, 3u))) & like(index, 0xFFu);
  U32<D> half = selector & like(selector, 3u);
  U32<D> sign_bit = (half << like(half, 4u)) + like(half, 15u);
  U32<D> sign = lo32(data >> zext64(sign_bit)) & like(half, 1u);
  U32<D> fill = like(selector, 0u) - sign;
  U32<D> constant = select(selector == like(selector, 12u), like(selector, 0u),
                           like(selector, 0xFFu));
  U32<D> chosen = select(selector < like(selector, 12u), fill & like(fill, 0xFFu), constant);
  return select(selector < like(selector, 8u), byte, chosen);
}
/// V_PERM_B32. Each byte of S2 selects a byte of the result from {S0, S1}; S1 holds bytes 0 to 3.
template <class D>
constexpr U32<D> v_perm_b32(U32<D> s0, U32<D> s1, U32<D> s2) {
  U64<D> data = zext64(s1) | (zext64(s0) << like(zext64(s0), std::uint64_t{32}));
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
              0xFF00'FFFF, "signs and constants");

}  // namespace compass::isa
