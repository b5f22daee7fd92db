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
constexpr B1<D> s_cmpk_lt_i32(U32<D> s0, U32<D> simm) {
  return slt(s0, sign_extend(simm, 16));
}

}  // namespace compass::isa
