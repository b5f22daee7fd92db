// SPDX-License-Identifier: MIT
#pragma once

#include "driverless/isa/scalar_result.h"

/// SOP1: scalar operations with one source. Once per wavefront, EXEC ignored. Manual: CDNA3 ISA, "SOP1
/// instructions".
namespace compass::isa {

template <class D>
constexpr U32<D> s_mov_b32(U32<D> s0) {
  return s0;
}
template <class D>
constexpr U64<D> s_mov_b64(U64<D> s0) {
  return s0;
}
template <class D>
constexpr ValueAndScc<D, U32<D>> s_not_b32(U32<D> s0) {
  return and_nonzero(~s0);
}
template <class D>
constexpr ValueAndScc<D, U64<D>> s_not_b64(U64<D> s0) {
  return and_nonzero(~s0);
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
/// S_AND_SAVEEXEC_B64. SDST = EXEC; EXEC = S0 & EXEC; SCC = EXEC is not zero afterwards.
template <class D>
constexpr SaveExec<D> s_and_saveexec_b64(U64<D> s0, U64<D> exec) {
  U64<D> both = s0 & exec;
  return {.sdst = exec, .exec = both, .scc = both != like(both, std::uint64_t{0})};
}
static_assert(s_and_saveexec_b64(U64<C>{6}, U64<C>{3}).exec.rep == 2);
static_assert(s_and_saveexec_b64(U64<C>{6}, U64<C>{3}).sdst.rep == 3, "the old EXEC");
template <class D>
constexpr SaveExec<D> s_or_saveexec_b64(U64<D> s0, U64<D> exec) {
  U64<D> either = s0 | exec;
  return {.sdst = exec, .exec = either, .scc = either != like(either, std::uint64_t{0})};
}
/// S_ANDN2_SAVEEXEC_B64. EXEC = S0 & ~EXEC.
template <class D>
constexpr SaveExec<D> s_andn2_saveexec_b64(U64<D> s0, U64<D> exec) {
  U64<D> rest = s0 & ~exec;
  return {.sdst = exec, .exec = rest, .scc = rest != like(rest, std::uint64_t{0})};
}

}  // namespace compass::isa
