// SPDX-License-Identifier: MIT
#pragma once

#include "driverless/isa/convert.h"

/// Integer operations that saturate: what `clamp` makes of the ones whose name they begin with.
namespace compass::isa {

template <class D>
constexpr U32<D> v_add_u32_clamp(U32<D> s0, U32<D> s1) {
  U32<D> sum = s0 + s1;
  return select(sum < s0, like(sum, ~0u), sum);
}

template <class D>
constexpr U32<D> v_sub_u32_clamp(U32<D> s0, U32<D> s1) {
  return select(s0 < s1, like(s0, 0u), s0 - s1);
}

template <class D>
constexpr U32<D> v_subrev_u32_clamp(U32<D> s0, U32<D> s1) {
  return v_sub_u32_clamp(s1, s0);
}

/// The end of the signed range on the side of `a`.
template <class D>
constexpr U32<D> signed_end(U32<D> a) {
  return ashr(a, like(a, 31u)) ^ like(a, 0x7FFF'FFFFu);
}

template <class D>
constexpr U32<D> v_add_i32_clamp(U32<D> s0, U32<D> s1) {
  U32<D> sum = s0 + s1;
  return select(slt((s0 ^ sum) & (s1 ^ sum), like(sum, 0u)), signed_end(s0), sum);
}

template <class D>
constexpr U32<D> v_sub_i32_clamp(U32<D> s0, U32<D> s1) {
  U32<D> difference = s0 - s1;
  return select(slt((s0 ^ s1) & (s0 ^ difference), like(s0, 0u)), signed_end(s0), difference);
}

static_assert(v_sub_i32_clamp(U32<C>{0x8000'0000}, U32<C>{1}).rep == 0x8000'0000);

template <class D>
constexpr U16<D> v_add_u16_clamp(U16<D> s0, U16<D> s1) {
  return low16(saturate_unsigned(zext(s0) + zext(s1), 0xFFFF));
}

template <class D>
constexpr U16<D> v_sub_u16_clamp(U16<D> s0, U16<D> s1) {
  return low16(v_sub_u32_clamp(zext(s0), zext(s1)));
}

template <class D>
constexpr U16<D> v_subrev_u16_clamp(U16<D> s0, U16<D> s1) {
  return v_sub_u16_clamp(s1, s0);
}

template <class D>
constexpr U16<D> v_add_i16_clamp(U16<D> s0, U16<D> s1) {
  return low16(saturate_signed(sext(s0) + sext(s1), 0u - 0x8000u, 0x7FFF));
}

template <class D>
constexpr U16<D> v_sub_i16_clamp(U16<D> s0, U16<D> s1) {
  return low16(saturate_signed(sext(s0) - sext(s1), 0u - 0x8000u, 0x7FFF));
}

template <class D>
constexpr U16<D> v_mad_u16_clamp(U16<D> s0, U16<D> s1, U16<D> s2) {
  U64<D> wide = zext64(zext(s0) * zext(s1)) + zext64(zext(s2));
  return low16(
      select(wide > like(wide, std::uint64_t{0xFFFF}), like(lo32(wide), 0xFFFFu), lo32(wide)));
}

template <class D>
constexpr U16<D> v_mad_i16_clamp(U16<D> s0, U16<D> s1, U16<D> s2) {
  return low16(saturate_signed(sext(s0) * sext(s1) + sext(s2), 0u - 0x8000u, 0x7FFF));
}

template <class D>
constexpr Pair<U16<D>> v_pk_add_u16_clamp(Pair<U16<D>> s0, Pair<U16<D>> s1) {
  return {v_add_u16_clamp(s0.lo, s1.lo), v_add_u16_clamp(s0.hi, s1.hi)};
}

template <class D>
constexpr Pair<U16<D>> v_pk_sub_u16_clamp(Pair<U16<D>> s0, Pair<U16<D>> s1) {
  return {v_sub_u16_clamp(s0.lo, s1.lo), v_sub_u16_clamp(s0.hi, s1.hi)};
}

template <class D>
constexpr Pair<U16<D>> v_pk_add_i16_clamp(Pair<U16<D>> s0, Pair<U16<D>> s1) {
  return {v_add_i16_clamp(s0.lo, s1.lo), v_add_i16_clamp(s0.hi, s1.hi)};
}

template <class D>
constexpr Pair<U16<D>> v_pk_sub_i16_clamp(Pair<U16<D>> s0, Pair<U16<D>> s1) {
  return {v_sub_i16_clamp(s0.lo, s1.lo), v_sub_i16_clamp(s0.hi, s1.hi)};
}

template <class D>
constexpr Pair<U16<D>> v_pk_mad_u16_clamp(Pair<U16<D>> s0, Pair<U16<D>> s1, Pair<U16<D>> s2) {
  return {v_mad_u16_clamp(s0.lo, s1.lo, s2.lo), v_mad_u16_clamp(s0.hi, s1.hi, s2.hi)};
}

template <class D>
constexpr Pair<U16<D>> v_pk_mad_i16_clamp(Pair<U16<D>> s0, Pair<U16<D>> s1, Pair<U16<D>> s2) {
  return {v_mad_i16_clamp(s0.lo, s1.lo, s2.lo), v_mad_i16_clamp(s0.hi, s1.hi, s2.hi)};
}

}  // namespace compass::isa
