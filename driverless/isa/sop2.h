// SPDX-License-Identifier: MIT
#pragma once

#include "driverless/isa/scalar_result.h"

/// SOP2: scalar operations with two sources. Manual: CDNA3 ISA, "SOP2 instructions".
namespace compass::isa {

/// S_ADD_U32. SCC is the carry out.
template <class D>
constexpr ValueAndScc<D, U32<D>> s_add_u32(U32<D> s0, U32<D> s1) {
  U32<D> sum = s0 + s1;
  return {.sdst = sum, .scc = sum < s0};
}
static_assert(s_add_u32(U32<C>{~0u}, U32<C>{1}).scc.rep, "carry");
/// S_ADDC_U32. D = S0 + S1 + SCC; SCC is the carry out.
template <class D>
constexpr ValueAndScc<D, U32<D>> s_addc_u32(U32<D> s0, U32<D> s1, B1<D> scc) {
  U64<D> sum = zext64(s0) + zext64(s1) + zext64(zext32(scc));
  return {.sdst = lo32(sum), .scc = hi32(sum) != like(s0, 0u)};
}
static_assert(s_addc_u32(U32<C>{~0u}, U32<C>{0}, B1<C>{true}).scc.rep, "carry from carry");
/// S_SUB_U32. SCC is the borrow.
template <class D>
constexpr ValueAndScc<D, U32<D>> s_sub_u32(U32<D> s0, U32<D> s1) {
  return {.sdst = s0 - s1, .scc = s0 < s1};
}
/// S_SUBB_U32. D = S0 - S1 - SCC; SCC is the borrow.
template <class D>
constexpr ValueAndScc<D, U32<D>> s_subb_u32(U32<D> s0, U32<D> s1, B1<D> scc) {
  U64<D> difference = zext64(s0) - zext64(s1) - zext64(zext32(scc));
  return {.sdst = lo32(difference), .scc = hi32(difference) != like(s0, 0u)};
}
static_assert(s_subb_u32(U32<C>{0}, U32<C>{0}, B1<C>{true}).sdst.rep == ~0u);
/// S_ADD_I32. SCC is signed overflow.
template <class D>
constexpr ValueAndScc<D, U32<D>> s_add_i32(U32<D> s0, U32<D> s1) {
  U32<D> sum = s0 + s1;
  return {.sdst = sum, .scc = slt((s0 ^ sum) & (s1 ^ sum), like(sum, 0u))};
}
static_assert(s_add_i32(U32<C>{0x7FFF'FFFF}, U32<C>{1}).scc.rep, "overflow");
static_assert(!s_add_i32(U32<C>{~0u}, U32<C>{1}).scc.rep, "a carry is no overflow");
template <class D>
constexpr ValueAndScc<D, U32<D>> s_sub_i32(U32<D> s0, U32<D> s1) {
  U32<D> difference = s0 - s1;
  return {.sdst = difference, .scc = slt((s0 ^ s1) & (s0 ^ difference), like(s0, 0u))};
}
/// S_MIN_*, S_MAX_*. SCC: S0 was chosen.
template <class D>
constexpr ValueAndScc<D, U32<D>> s_min_i32(U32<D> s0, U32<D> s1) {
  return {.sdst = select(slt(s0, s1), s0, s1), .scc = slt(s0, s1)};
}
template <class D>
constexpr ValueAndScc<D, U32<D>> s_min_u32(U32<D> s0, U32<D> s1) {
  return {.sdst = select(s0 < s1, s0, s1), .scc = s0 < s1};
}
template <class D>
constexpr ValueAndScc<D, U32<D>> s_max_i32(U32<D> s0, U32<D> s1) {
  return {.sdst = select(slt(s1, s0), s0, s1), .scc = slt(s1, s0)};
}
template <class D>
constexpr ValueAndScc<D, U32<D>> s_max_u32(U32<D> s0, U32<D> s1) {
  return {.sdst = select(s0 > s1, s0, s1), .scc = s0 > s1};
}
template <class D>
constexpr U32<D> s_cselect_b32(U32<D> s0, U32<D> s1, B1<D> scc) {
  return select(scc, s0, s1);
}
template <class D>
constexpr U64<D> s_cselect_b64(U64<D> s0, U64<D> s1, B1<D> scc) {
  return select(scc, s0, s1);
}
template <class D>
constexpr ValueAndScc<D, U32<D>> s_and_b32(U32<D> s0, U32<D> s1) {
  return and_nonzero(s0 & s1);
}
template <class D>
constexpr ValueAndScc<D, U64<D>> s_and_b64(U64<D> s0, U64<D> s1) {
  return and_nonzero(s0 & s1);
}
template <class D>
constexpr ValueAndScc<D, U32<D>> s_or_b32(U32<D> s0, U32<D> s1) {
  return and_nonzero(s0 | s1);
}
template <class D>
constexpr ValueAndScc<D, U64<D>> s_or_b64(U64<D> s0, U64<D> s1) {
  return and_nonzero(s0 | s1);
}
template <class D>
constexpr ValueAndScc<D, U32<D>> s_xor_b32(U32<D> s0, U32<D> s1) {
  return and_nonzero(s0 ^ s1);
}
template <class D>
constexpr ValueAndScc<D, U64<D>> s_xor_b64(U64<D> s0, U64<D> s1) {
  return and_nonzero(s0 ^ s1);
}
/// S_ANDN2. D = S0 & ~S1.
template <class D>
constexpr ValueAndScc<D, U32<D>> s_andn2_b32(U32<D> s0, U32<D> s1) {
  return and_nonzero(s0 & ~s1);
}
template <class D>
constexpr ValueAndScc<D, U64<D>> s_andn2_b64(U64<D> s0, U64<D> s1) {
  return and_nonzero(s0 & ~s1);
}
/// Shifts take the count modulo the width.
template <class D>
constexpr ValueAndScc<D, U32<D>> s_lshl_b32(U32<D> s0, U32<D> s1) {
  return and_nonzero(s0 << (s1 & like(s1, 31u)));
}
static_assert(s_lshl_b32(U32<C>{3}, U32<C>{33}).sdst.rep == 6, "count is modulo 32");
template <class D>
constexpr ValueAndScc<D, U64<D>> s_lshl_b64(U64<D> s0, U32<D> s1) {
  return and_nonzero(s0 << zext64(s1 & like(s1, 63u)));
}
template <class D>
constexpr ValueAndScc<D, U32<D>> s_lshr_b32(U32<D> s0, U32<D> s1) {
  return and_nonzero(s0 >> (s1 & like(s1, 31u)));
}
template <class D>
constexpr ValueAndScc<D, U64<D>> s_lshr_b64(U64<D> s0, U32<D> s1) {
  return and_nonzero(s0 >> zext64(s1 & like(s1, 63u)));
}
template <class D>
constexpr ValueAndScc<D, U32<D>> s_ashr_i32(U32<D> s0, U32<D> s1) {
  return and_nonzero(ashr(s0, s1 & like(s1, 31u)));
}
static_assert(s_ashr_i32(U32<C>{0x8000'0000}, U32<C>{31}).sdst.rep == ~0u, "sign comes in");
template <class D>
constexpr ValueAndScc<D, U64<D>> s_ashr_i64(U64<D> s0, U32<D> s1) {
  return and_nonzero(ashr(s0, zext64(s1 & like(s1, 63u))));
}
template <class D>
constexpr U32<D> s_mul_i32(U32<D> s0, U32<D> s1) {
  return s0 * s1;
}
template <class D>
constexpr U32<D> s_mul_hi_u32(U32<D> s0, U32<D> s1) {
  return hi32(zext64(s0) * zext64(s1));
}
template <class D>
constexpr U32<D> s_mul_hi_i32(U32<D> s0, U32<D> s1) {
  return hi32(sext64(s0) * sext64(s1));
}
/// S_BFE_U32. The field of S0 that starts at bit S1[4:0] and is S1[22:16] bits wide.
template <class D>
constexpr ValueAndScc<D, U32<D>> s_bfe_u32(U32<D> s0, U32<D> s1) {
  U32<D> offset = s1 & like(s1, 31u);
  U32<D> width = (s1 >> like(s1, 16u)) & like(s1, 127u);
  U64<D> wide = zext64(select(width > like(s1, 32u), like(s1, 32u), width));
  U64<D> mask = (like(wide, std::uint64_t{1}) << wide) - like(wide, std::uint64_t{1});
  return and_nonzero((s0 >> offset) & lo32(mask));
}
static_assert(s_bfe_u32(U32<C>{0xABCD}, U32<C>{0x8'0004}).sdst.rep == 0xBC);

/// S_BFE_I32. The same with the highest bit of the field as a sign; of 64 bits: offset S1[5:0].
template <class D>
constexpr ValueAndScc<D, U32<D>> s_bfe_i32(U32<D> s0, U32<D> s1) {
  U32<D> width = (s1 >> like(s1, 16u)) & like(s1, 127u);
  U32<D> unused = select(width < like(s1, 32u), like(s1, 32u) - width, like(s1, 0u));
  U32<D> field = s_bfe_u32(s0, s1).sdst;
  U32<D> extended = ashr(field << (unused & like(s1, 31u)), unused & like(s1, 31u));
  return and_nonzero(select(width == like(s1, 0u), like(s1, 0u), extended));
}

static_assert(s_bfe_i32(U32<C>{0xABCD}, U32<C>{0x8'0004}).sdst.rep == 0xFFFF'FFBC);

/// The field's width of a 64-bit S_BFE, at most 64, and its offset.
template <class D>
constexpr U64<D> field_width(U32<D> s1) {
  U32<D> width = (s1 >> like(s1, 16u)) & like(s1, 127u);
  return zext64(select(width > like(s1, 64u), like(s1, 64u), width));
}
template <class D>
constexpr U64<D> field_moved_up(U64<D> s0, U32<D> s1) {
  U64<D> offset = zext64(s1 & like(s1, 63u)), width = field_width(s1);
  U64<D> unused = like(width, std::uint64_t{64}) - width;
  return (s0 >> offset) << (unused & like(unused, std::uint64_t{63}));
}

template <class D>
constexpr ValueAndScc<D, U64<D>> s_bfe_u64(U64<D> s0, U32<D> s1) {
  U64<D> top = field_moved_up(s0, s1), width = field_width(s1);
  U64<D> count = (like(width, std::uint64_t{64}) - width) & like(width, std::uint64_t{63});
  U64<D> none = like(width, std::uint64_t{0});
  return and_nonzero(select(width == none, none, top >> count));
}

template <class D>
constexpr ValueAndScc<D, U64<D>> s_bfe_i64(U64<D> s0, U32<D> s1) {
  U64<D> top = field_moved_up(s0, s1), width = field_width(s1);
  U64<D> count = (like(width, std::uint64_t{64}) - width) & like(width, std::uint64_t{63});
  U64<D> none = like(width, std::uint64_t{0});
  return and_nonzero(select(width == none, none, ashr(top, count)));
}

static_assert(s_bfe_i64(U64<C>{0xAB00'0000'0000}, U32<C>{0x8'0028}).sdst.rep ==
              ~std::uint64_t{0x54});

/// S_BFM. S0 ones from bit S1, both modulo the width.
template <class D>
constexpr U32<D> s_bfm_b32(U32<D> s0, U32<D> s1) {
  return ((like(s0, 1u) << (s0 & like(s0, 31u))) - like(s0, 1u)) << (s1 & like(s1, 31u));
}

template <class D>
constexpr U64<D> s_bfm_b64(U32<D> s0, U32<D> s1) {
  U64<D> one = like(zext64(s0), std::uint64_t{1});
  return ((one << zext64(s0 & like(s0, 63u))) - one) << zext64(s1 & like(s1, 63u));
}

template <class D>
constexpr ValueAndScc<D, U32<D>> s_orn2_b32(U32<D> s0, U32<D> s1) {
  return and_nonzero(s0 | ~s1);
}

template <class D>
constexpr ValueAndScc<D, U64<D>> s_orn2_b64(U64<D> s0, U64<D> s1) {
  return and_nonzero(s0 | ~s1);
}

template <class D>
constexpr ValueAndScc<D, U32<D>> s_nand_b32(U32<D> s0, U32<D> s1) {
  return and_nonzero(~(s0 & s1));
}

template <class D>
constexpr ValueAndScc<D, U64<D>> s_nand_b64(U64<D> s0, U64<D> s1) {
  return and_nonzero(~(s0 & s1));
}

template <class D>
constexpr ValueAndScc<D, U32<D>> s_nor_b32(U32<D> s0, U32<D> s1) {
  return and_nonzero(~(s0 | s1));
}

template <class D>
constexpr ValueAndScc<D, U64<D>> s_nor_b64(U64<D> s0, U64<D> s1) {
  return and_nonzero(~(s0 | s1));
}

template <class D>
constexpr ValueAndScc<D, U32<D>> s_xnor_b32(U32<D> s0, U32<D> s1) {
  return and_nonzero(~(s0 ^ s1));
}

template <class D>
constexpr ValueAndScc<D, U64<D>> s_xnor_b64(U64<D> s0, U64<D> s1) {
  return and_nonzero(~(s0 ^ s1));
}

template <class D>
constexpr ValueAndScc<D, U32<D>> s_absdiff_i32(U32<D> s0, U32<D> s1) {
  U32<D> difference = s0 - s1;
  return and_nonzero(select(slt(difference, like(s0, 0u)), like(s0, 0u) - difference, difference));
}

template <class D>
constexpr ValueAndScc<D, U32<D>> shift_and_add(U32<D> s0, U32<D> s1, std::uint32_t count) {
  U64<D> sum = (zext64(s0) << like(zext64(s0), std::uint64_t{count})) + zext64(s1);
  return {.sdst = lo32(sum), .scc = hi32(sum) != like(s0, 0u)};
}

/// S_LSHL1_ADD_U32 … S_LSHL4_ADD_U32. D = (S0 << n) + S1; SCC: bits were lost.
template <class D>
constexpr ValueAndScc<D, U32<D>> s_lshl1_add_u32(U32<D> s0, U32<D> s1) {
  return shift_and_add(s0, s1, 1);
}

template <class D>
constexpr ValueAndScc<D, U32<D>> s_lshl2_add_u32(U32<D> s0, U32<D> s1) {
  return shift_and_add(s0, s1, 2);
}

template <class D>
constexpr ValueAndScc<D, U32<D>> s_lshl3_add_u32(U32<D> s0, U32<D> s1) {
  return shift_and_add(s0, s1, 3);
}

template <class D>
constexpr ValueAndScc<D, U32<D>> s_lshl4_add_u32(U32<D> s0, U32<D> s1) {
  return shift_and_add(s0, s1, 4);
}

static_assert(s_lshl2_add_u32(U32<C>{0x4000'0000}, U32<C>{1}).scc.rep);

template <class D>
constexpr U32<D> s_pack_ll_b32_b16(U32<D> s0, U32<D> s1) {
  return (s0 & like(s0, 0xFFFFu)) | (s1 << like(s1, 16u));
}

template <class D>
constexpr U32<D> s_pack_lh_b32_b16(U32<D> s0, U32<D> s1) {
  return (s0 & like(s0, 0xFFFFu)) | (s1 & like(s1, 0xFFFF'0000u));
}

template <class D>
constexpr U32<D> s_pack_hh_b32_b16(U32<D> s0, U32<D> s1) {
  return (s0 >> like(s0, 16u)) | (s1 & like(s1, 0xFFFF'0000u));
}

}  // namespace compass::isa
