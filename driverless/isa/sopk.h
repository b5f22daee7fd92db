// SPDX-License-Identifier: MIT
#pragma once

#include "driverless/isa/sop2.h"

/// SOPK: scalar operations with a 16-bit immediate, sign-extended. Manual: CDNA3 ISA, "SOPK
/// instructions".
namespace compass::isa {

template <class D>
constexpr U32<D> s_movk_i32(U32<D> simm) {
  return sign_extend(simm, 16);
}

static_assert(s_movk_i32(U32<C>{0x8000}).rep == 0xFFFF'8000);

template <class D>
constexpr U32<D> s_cmovk_i32(U32<D> sdst, U32<D> simm, B1<D> scc) {
  return select(scc, sign_extend(simm, 16), sdst);
}

template <class D>
constexpr ValueAndScc<D, U32<D>> s_addk_i32(U32<D> sdst, U32<D> simm) {
  return s_add_i32(sdst, sign_extend(simm, 16));
}

template <class D>
constexpr U32<D> s_mulk_i32(U32<D> sdst, U32<D> simm) {
  return sdst * sign_extend(simm, 16);
}

template <class D>
constexpr B1<D> s_cmpk_eq_i32(U32<D> s0, U32<D> simm) {
  return s0 == sign_extend(simm, 16);
}

template <class D>
constexpr B1<D> s_cmpk_lg_i32(U32<D> s0, U32<D> simm) {
  return s0 != sign_extend(simm, 16);
}

template <class D>
constexpr B1<D> s_cmpk_gt_i32(U32<D> s0, U32<D> simm) {
  return slt(sign_extend(simm, 16), s0);
}

template <class D>
constexpr B1<D> s_cmpk_ge_i32(U32<D> s0, U32<D> simm) {
  return !slt(s0, sign_extend(simm, 16));
}

template <class D>
constexpr B1<D> s_cmpk_lt_i32(U32<D> s0, U32<D> simm) {
  return slt(s0, sign_extend(simm, 16));
}

template <class D>
constexpr B1<D> s_cmpk_le_i32(U32<D> s0, U32<D> simm) {
  return !slt(sign_extend(simm, 16), s0);
}

/// Unsigned: the immediate is zero-extended.
template <class D>
constexpr B1<D> s_cmpk_eq_u32(U32<D> s0, U32<D> simm) {
  return s0 == (simm & like(simm, 0xFFFFu));
}

template <class D>
constexpr B1<D> s_cmpk_lg_u32(U32<D> s0, U32<D> simm) {
  return s0 != (simm & like(simm, 0xFFFFu));
}

template <class D>
constexpr B1<D> s_cmpk_gt_u32(U32<D> s0, U32<D> simm) {
  return s0 > (simm & like(simm, 0xFFFFu));
}

template <class D>
constexpr B1<D> s_cmpk_ge_u32(U32<D> s0, U32<D> simm) {
  return !(s0 < (simm & like(simm, 0xFFFFu)));
}

template <class D>
constexpr B1<D> s_cmpk_lt_u32(U32<D> s0, U32<D> simm) {
  return s0 < (simm & like(simm, 0xFFFFu));
}

template <class D>
constexpr B1<D> s_cmpk_le_u32(U32<D> s0, U32<D> simm) {
  return !(s0 > (simm & like(simm, 0xFFFFu)));
}

/// Bits [offset + width - 1 : offset] of a register, as the fields of `hwreg` name them: number in
/// 5:0, offset in 10:6, width less one in 15:11.
template <class D>
constexpr U32<D> field_ones(U32<D> hwreg) {
  U32<D> unused = like(hwreg, 31u) - ((hwreg >> like(hwreg, 11u)) & like(hwreg, 31u));
  return like(hwreg, ~0u) >> unused;
}
template <class D>
constexpr U32<D> field_offset(U32<D> hwreg) {
  return (hwreg >> like(hwreg, 6u)) & like(hwreg, 31u);
}

/// S_GETREG_B32. The field of a hardware register.
template <class D>
constexpr U32<D> s_getreg_b32(U32<D> hwreg, U32<D> value) {
  return (value >> field_offset(hwreg)) & field_ones(hwreg);
}

/// S_SETREG_B32. The register with its field replaced by the low bits of S0.
template <class D>
constexpr U32<D> s_setreg_b32(U32<D> hwreg, U32<D> s0, U32<D> old) {
  U32<D> ones = field_ones(hwreg), offset = field_offset(hwreg);
  return (old & ~(ones << offset)) | ((s0 & ones) << offset);
}

static_assert(s_setreg_b32(U32<C>{0x0801}, U32<C>{0xF}, U32<C>{0x3F0}).rep == 0x3F3);
static_assert(s_getreg_b32(U32<C>{0x1801}, U32<C>{0x3F5}).rep == 5);

}  // namespace compass::isa
