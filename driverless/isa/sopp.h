// SPDX-License-Identifier: MIT
#pragma once

#include "driverless/isa/domain.h"

/// Program control. Manual: CDNA3 ISA, "SOPP instructions". A branch gives the next PC.
namespace compass::isa {

template <class D>
constexpr U64<D> s_branch(U64<D> target) {
  return target;
}
template <class D>
constexpr U64<D> s_cbranch_scc0(U64<D> pc, U64<D> target, B1<D> scc) {
  return select(scc, pc, target);
}
template <class D>
constexpr U64<D> s_cbranch_scc1(U64<D> pc, U64<D> target, B1<D> scc) {
  return select(scc, target, pc);
}
/// VCCZ and EXECZ are all 64 bits being zero.
template <class D>
constexpr U64<D> s_cbranch_vccz(U64<D> pc, U64<D> target, U64<D> vcc) {
  return select(vcc == like(vcc, std::uint64_t{0}), target, pc);
}
template <class D>
constexpr U64<D> s_cbranch_vccnz(U64<D> pc, U64<D> target, U64<D> vcc) {
  return select(vcc == like(vcc, std::uint64_t{0}), pc, target);
}
template <class D>
constexpr U64<D> s_cbranch_execz(U64<D> pc, U64<D> target, U64<D> exec) {
  return select(exec == like(exec, std::uint64_t{0}), target, pc);
}
template <class D>
constexpr U64<D> s_cbranch_execnz(U64<D> pc, U64<D> target, U64<D> exec) {
  return select(exec == like(exec, std::uint64_t{0}), pc, target);
}

// Effects on the wavefront's progress. Accesses complete in order here, so waits have nothing to
// do.

template <class D, class Wave>
constexpr void s_endpgm(Wave& wave) {
  wave.end();
}
template <class D, class Wave>
constexpr void s_barrier(Wave& wave) {
  wave.wait_at_barrier();
}
template <class D, class Wave>
constexpr void s_nop(Wave&) {}
template <class D, class Wave>
constexpr void s_waitcnt(Wave&) {}
template <class D, class Wave>
constexpr void s_sleep(Wave&) {}
template <class D, class Wave>
constexpr void s_setprio(Wave&) {}
template <class D, class Wave>
constexpr void s_wakeup(Wave&) {}
template <class D, class Wave>
constexpr void s_icache_inv(Wave&) {}
template <class D, class Wave>
constexpr void s_incperflevel(Wave&) {}
template <class D, class Wave>
constexpr void s_decperflevel(Wave&) {}
template <class D, class Wave>
constexpr void s_ttracedata(Wave&) {}

}  // namespace compass::isa
