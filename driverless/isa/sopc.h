// SPDX-License-Identifier: MIT
#pragma once

#include "driverless/isa/domain.h"

/// SOPC: scalar comparisons; the result is SCC. Manual: CDNA3 ISA, "SOPC instructions".
namespace compass::isa {

template <class D>
constexpr B1<D> s_cmp_eq_i32(U32<D> s0, U32<D> s1) {
  return s0 == s1;
}
template <class D>
constexpr B1<D> s_cmp_lg_i32(U32<D> s0, U32<D> s1) {
  return s0 != s1;
}
template <class D>
constexpr B1<D> s_cmp_gt_i32(U32<D> s0, U32<D> s1) {
  return slt(s1, s0);
}
template <class D>
constexpr B1<D> s_cmp_ge_i32(U32<D> s0, U32<D> s1) {
  return !slt(s0, s1);
}
template <class D>
constexpr B1<D> s_cmp_lt_i32(U32<D> s0, U32<D> s1) {
  return slt(s0, s1);
}
template <class D>
constexpr B1<D> s_cmp_le_i32(U32<D> s0, U32<D> s1) {
  return !slt(s1, s0);
}
template <class D>
constexpr B1<D> s_cmp_eq_u32(U32<D> s0, U32<D> s1) {
  return s0 == s1;
}
template <class D>
constexpr B1<D> s_cmp_lg_u32(U32<D> s0, U32<D> s1) {
  return s0 != s1;
}
template <class D>
constexpr B1<D> s_cmp_gt_u32(U32<D> s0, U32<D> s1) {
  return s0 > s1;
}
template <class D>
constexpr B1<D> s_cmp_ge_u32(U32<D> s0, U32<D> s1) {
  return !(s0 < s1);
}
template <class D>
constexpr B1<D> s_cmp_lt_u32(U32<D> s0, U32<D> s1) {
  return s0 < s1;
}
template <class D>
constexpr B1<D> s_cmp_le_u32(U32<D> s0, U32<D> s1) {
  return !(s0 > s1);
}
template <class D>
constexpr B1<D> s_cmp_eq_u64(U64<D> s0, U64<D> s1) {
  return s0 == s1;
}
template <class D>
constexpr B1<D> s_cmp_lg_u64(U64<D> s0, U64<D> s1) {
  return s0 != s1;
}

}  // namespace compass::isa
