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

/// S_BITCMP. SCC: the bit of S0 that S1 numbers is clear (0) or set (1).
template <class D>
constexpr B1<D> s_bitcmp0_b32(U32<D> s0, U32<D> s1) {
  return ((s0 >> (s1 & like(s1, 31u))) & like(s0, 1u)) == like(s0, 0u);
}

template <class D>
constexpr B1<D> s_bitcmp1_b32(U32<D> s0, U32<D> s1) {
  return ((s0 >> (s1 & like(s1, 31u))) & like(s0, 1u)) != like(s0, 0u);
}

template <class D>
constexpr B1<D> s_bitcmp0_b64(U64<D> s0, U32<D> s1) {
  return (lo32(s0 >> zext64(s1 & like(s1, 63u))) & like(s1, 1u)) == like(s1, 0u);
}

template <class D>
constexpr B1<D> s_bitcmp1_b64(U64<D> s0, U32<D> s1) {
  return (lo32(s0 >> zext64(s1 & like(s1, 63u))) & like(s1, 1u)) != like(s1, 0u);
}

}  // namespace compass::isa
