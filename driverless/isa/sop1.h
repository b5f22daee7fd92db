// SPDX-License-Identifier: MIT
#pragma once

#include "driverless/isa/scalar_result.h"

/// SOP1: scalar operations with one source. Once per wavefront, EXEC ignored. Manual: CDNA3 ISA,
/// "SOP1 instructions".
namespace compass::isa {

template <class D>
constexpr U32<D> s_mov_b32(U32<D> s0) {
  return s0;
}

template <class D>
constexpr U64<D> s_mov_b64(U64<D> s0) {
  return s0;
}

/// S_CMOV. D = S0 where SCC is set; else D stays.
template <class D>
constexpr U32<D> s_cmov_b32(U32<D> s0, U32<D> sdst, B1<D> scc) {
  return select(scc, s0, sdst);
}

template <class D>
constexpr U64<D> s_cmov_b64(U64<D> s0, U64<D> sdst, B1<D> scc) {
  return select(scc, s0, sdst);
}

template <class D>
constexpr ValueAndScc<D, U32<D>> s_not_b32(U32<D> s0) {
  return and_nonzero(~s0);
}

template <class D>
constexpr ValueAndScc<D, U64<D>> s_not_b64(U64<D> s0) {
  return and_nonzero(~s0);
}

/// Each group of four ones where any of the four bits is set.
template <class V>
constexpr V whole_quads(V a) {
  V any = a | (a >> like(a, 1u));
  V first = (any | (any >> like(a, 2u))) & like(a, 0x1111'1111u);
  return first * like(a, 0xFu);
}
template <class D>
constexpr U64<D> whole_quads(U64<D> a) {
  return join64(whole_quads(lo32(a)), whole_quads(hi32(a)));
}

template <class D>
constexpr ValueAndScc<D, U32<D>> s_wqm_b32(U32<D> s0) {
  return and_nonzero(whole_quads(s0));
}

template <class D>
constexpr ValueAndScc<D, U64<D>> s_wqm_b64(U64<D> s0) {
  return and_nonzero(whole_quads(s0));
}

static_assert(s_wqm_b32(U32<C>{0x8000'0100}).sdst.rep == 0xF000'0F00);

template <class D>
constexpr U32<D> s_brev_b32(U32<D> s0) {
  return reverse_bits(s0);
}

template <class D>
constexpr U64<D> s_brev_b64(U64<D> s0) {
  return join64(reverse_bits(hi32(s0)), reverse_bits(lo32(s0)));
}

template <class D>
constexpr U32<D> ones(U64<D> a) {
  return popcount(lo32(a)) + popcount(hi32(a));
}

/// S_BCNT. SCC: the count is not zero.
template <class D>
constexpr ValueAndScc<D, U32<D>> s_bcnt0_i32_b32(U32<D> s0) {
  return and_nonzero(popcount(~s0));
}

template <class D>
constexpr ValueAndScc<D, U32<D>> s_bcnt0_i32_b64(U64<D> s0) {
  return and_nonzero(ones(~s0));
}

template <class D>
constexpr ValueAndScc<D, U32<D>> s_bcnt1_i32_b32(U32<D> s0) {
  return and_nonzero(popcount(s0));
}

template <class D>
constexpr ValueAndScc<D, U32<D>> s_bcnt1_i32_b64(U64<D> s0) {
  return and_nonzero(ones(s0));
}

/// S_FF. The lowest bit that is set (0: clear), -1 if there is none. S_FLBIT. The number of bits
/// above the highest one that is set (I32, I64: that differs from the sign), -1 if there is none.
/// SCC stays.
template <class D>
constexpr U32<D> s_ff1_i32_b32(U32<D> s0) {
  return select(s0 == like(s0, 0u), like(s0, ~0u), trailing_zeros(s0));
}

template <class D>
constexpr U32<D> s_ff1_i32_b64(U64<D> s0) {
  U32<D> low = lo32(s0), high = hi32(s0);
  U32<D> upper = s_ff1_i32_b32(high);
  U32<D> moved = select(high == like(high, 0u), upper, upper + like(upper, 32u));
  return select(low == like(low, 0u), moved, trailing_zeros(low));
}

template <class D>
constexpr U32<D> s_ff0_i32_b32(U32<D> s0) {
  return s_ff1_i32_b32(~s0);
}

template <class D>
constexpr U32<D> s_ff0_i32_b64(U64<D> s0) {
  return s_ff1_i32_b64(~s0);
}

template <class D>
constexpr U32<D> s_flbit_i32_b32(U32<D> s0) {
  return select(s0 == like(s0, 0u), like(s0, ~0u), leading_zeros(s0));
}

template <class D>
constexpr U32<D> s_flbit_i32_b64(U64<D> s0) {
  U32<D> low = lo32(s0), high = hi32(s0);
  U32<D> lower = s_flbit_i32_b32(low);
  U32<D> moved = select(low == like(low, 0u), lower, lower + like(lower, 32u));
  return select(high == like(high, 0u), moved, leading_zeros(high));
}

template <class D>
constexpr U32<D> s_flbit_i32(U32<D> s0) {
  return s_flbit_i32_b32(s0 ^ ashr(s0, like(s0, 31u)));
}

template <class D>
constexpr U32<D> s_flbit_i32_i64(U64<D> s0) {
  return s_flbit_i32_b64(s0 ^ ashr(s0, like(s0, std::uint64_t{63})));
}

static_assert(s_ff1_i32_b64(U64<C>{std::uint64_t{1} << 40}).rep == 40 &&
              s_ff1_i32_b64(U64<C>{0}).rep == ~0u);
static_assert(s_flbit_i32_b64(U64<C>{1}).rep == 63 && s_flbit_i32(U32<C>{~0u}).rep == ~0u);

template <class D>
constexpr U32<D> s_sext_i32_i8(U32<D> s0) {
  return sign_extend(s0, 8);
}

template <class D>
constexpr U32<D> s_sext_i32_i16(U32<D> s0) {
  return sign_extend(s0, 16);
}

template <class D>
constexpr U32<D> s_bitset0_b32(U32<D> s0, U32<D> sdst) {
  return sdst & ~(like(s0, 1u) << (s0 & like(s0, 31u)));
}

template <class D>
constexpr U64<D> s_bitset0_b64(U32<D> s0, U64<D> sdst) {
  return sdst & ~(like(sdst, std::uint64_t{1}) << zext64(s0 & like(s0, 63u)));
}

template <class D>
constexpr U32<D> s_bitset1_b32(U32<D> s0, U32<D> sdst) {
  return sdst | (like(s0, 1u) << (s0 & like(s0, 31u)));
}

template <class D>
constexpr U64<D> s_bitset1_b64(U32<D> s0, U64<D> sdst) {
  return sdst | (like(sdst, std::uint64_t{1}) << zext64(s0 & like(s0, 63u)));
}

/// S_GETPC_B64. The address of the next instruction.
template <class D>
constexpr U64<D> s_getpc_b64(U64<D> next_address) {
  return next_address;
}

template <class D>
struct SaveExec {
  U64<D> sdst, exec;
  B1<D> scc;
};
template <class D>
constexpr SaveExec<D> save_exec(U64<D> exec, U64<D> made) {
  return {.sdst = exec, .exec = made, .scc = made != like(made, std::uint64_t{0})};
}

/// SDST = EXEC; EXEC = S0 & EXEC, and so on; SCC: EXEC is not zero afterwards.
template <class D>
constexpr SaveExec<D> s_and_saveexec_b64(U64<D> s0, U64<D> exec) {
  return save_exec(exec, s0 & exec);
}

template <class D>
constexpr SaveExec<D> s_or_saveexec_b64(U64<D> s0, U64<D> exec) {
  return save_exec(exec, s0 | exec);
}

template <class D>
constexpr SaveExec<D> s_xor_saveexec_b64(U64<D> s0, U64<D> exec) {
  return save_exec(exec, s0 ^ exec);
}

template <class D>
constexpr SaveExec<D> s_andn2_saveexec_b64(U64<D> s0, U64<D> exec) {
  return save_exec(exec, s0 & ~exec);
}

template <class D>
constexpr SaveExec<D> s_orn2_saveexec_b64(U64<D> s0, U64<D> exec) {
  return save_exec(exec, s0 | ~exec);
}

template <class D>
constexpr SaveExec<D> s_nand_saveexec_b64(U64<D> s0, U64<D> exec) {
  return save_exec(exec, ~(s0 & exec));
}

template <class D>
constexpr SaveExec<D> s_nor_saveexec_b64(U64<D> s0, U64<D> exec) {
  return save_exec(exec, ~(s0 | exec));
}

template <class D>
constexpr SaveExec<D> s_xnor_saveexec_b64(U64<D> s0, U64<D> exec) {
  return save_exec(exec, ~(s0 ^ exec));
}

template <class D>
constexpr SaveExec<D> s_andn1_saveexec_b64(U64<D> s0, U64<D> exec) {
  return save_exec(exec, ~s0 & exec);
}

template <class D>
constexpr SaveExec<D> s_orn1_saveexec_b64(U64<D> s0, U64<D> exec) {
  return save_exec(exec, ~s0 | exec);
}

static_assert(s_and_saveexec_b64(U64<C>{6}, U64<C>{3}).exec.rep == 2);
static_assert(s_and_saveexec_b64(U64<C>{6}, U64<C>{3}).sdst.rep == 3, "the old EXEC");

/// SDST is the new EXEC.
template <class D>
constexpr SaveExec<D> s_andn1_wrexec_b64(U64<D> s0, U64<D> exec) {
  U64<D> made = ~s0 & exec;
  return {.sdst = made, .exec = made, .scc = made != like(made, std::uint64_t{0})};
}

template <class D>
constexpr SaveExec<D> s_andn2_wrexec_b64(U64<D> s0, U64<D> exec) {
  U64<D> made = s0 & ~exec;
  return {.sdst = made, .exec = made, .scc = made != like(made, std::uint64_t{0})};
}

template <class V>
constexpr auto quad_bits(V a) {
  V result = like(a, 0u);
  V any = whole_quads(a);
  for (unsigned n = 0; n < 8; ++n)
    result = result | (((any >> like(a, 4 * n)) & like(a, 1u)) << like(a, n));
  return result;
}

/// S_QUADMASK. One bit for four: whether any of them is set.
template <class D>
constexpr ValueAndScc<D, U32<D>> s_quadmask_b32(U32<D> s0) {
  return and_nonzero(quad_bits(s0));
}

template <class D>
constexpr ValueAndScc<D, U64<D>> s_quadmask_b64(U64<D> s0) {
  return and_nonzero(zext64(quad_bits(lo32(s0)) | (quad_bits(hi32(s0)) << like(lo32(s0), 8u))));
}

template <class D>
constexpr ValueAndScc<D, U32<D>> s_abs_i32(U32<D> s0) {
  return and_nonzero(select(slt(s0, like(s0, 0u)), like(s0, 0u) - s0, s0));
}

/// S_BITREPLICATE_B64_B32. Each bit twice.
template <class D>
constexpr U64<D> s_bitreplicate_b64_b32(U32<D> s0) {
  U64<D> wide = zext64(s0);
  for (unsigned shift = 16; shift > 0; shift /= 2) {
    const std::uint64_t mask = ~std::uint64_t{0} / ((std::uint64_t{1} << shift) + 1);
    wide = (wide | (wide << like(wide, std::uint64_t{shift}))) & like(wide, mask);
  }
  return wide | (wide << like(wide, std::uint64_t{1}));
}

static_assert(s_bitreplicate_b64_b32(U32<C>{0x8000'0005}).rep == 0xC000'0000'0000'0033);

}  // namespace compass::isa
