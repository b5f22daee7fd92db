// SPDX-License-Identifier: MIT
#pragma once

#include "driverless/isa/domain.h"

/// VOP3: operations on the bytes of registers. Manual: CDNA3 ISA, "VOP3A instructions".
namespace compass::isa {

/// The sum of the differences of four bytes; where `Masked`, of those where S1 is not 0.
template <bool Masked, class D>
constexpr U32<D> byte_differences(U32<D> s0, U32<D> s1) {
  U32<D> sum = like(s0, 0u);
  for (unsigned n = 0; n < 32; n += 8) {
    U32<D> a = (s0 >> like(s0, n)) & like(s0, 0xFFu), b = (s1 >> like(s1, n)) & like(s1, 0xFFu);
    U32<D> difference = select(a < b, b - a, a - b);
    if (Masked) difference = select(b == like(b, 0u), b, difference);
    sum = sum + difference;
  }
  return sum;
}

template <class D>
constexpr U32<D> v_sad_u8(U32<D> s0, U32<D> s1, U32<D> s2) {
  return byte_differences<false>(s0, s1) + s2;
}

template <class D>
constexpr U32<D> v_sad_hi_u8(U32<D> s0, U32<D> s1, U32<D> s2) {
  return (byte_differences<false>(s0, s1) << like(s0, 16u)) + s2;
}

template <class D>
constexpr U32<D> v_msad_u8(U32<D> s0, U32<D> s1, U32<D> s2) {
  return byte_differences<true>(s0, s1) + s2;
}

template <class D>
constexpr U32<D> v_sad_u32(U32<D> s0, U32<D> s1, U32<D> s2) {
  return select(s0 < s1, s1 - s0, s0 - s1) + s2;
}

template <class D>
constexpr U32<D> v_sad_u16(U32<D> s0, U32<D> s1, U32<D> s2) {
  U32<D> mask = like(s0, 0xFFFFu), shift = like(s0, 16u);
  return v_sad_u32(s0 & mask, s1 & mask, v_sad_u32(s0 >> shift, s1 >> shift, s2));
}

/// V_LERP_U8. Of each byte the mean, rounded up where the lowest bit of S2's byte is set.
template <class D>
constexpr U32<D> v_lerp_u8(U32<D> s0, U32<D> s1, U32<D> s2) {
  U32<D> result = like(s0, 0u);
  for (unsigned n = 0; n < 32; n += 8) {
    U32<D> place = like(s0, n), mask = like(s0, 0xFFu);
    U32<D> sum = ((s0 >> place) & mask) + ((s1 >> place) & mask) + ((s2 >> place) & like(s2, 1u));
    result = result | ((sum >> like(sum, 1u)) << place);
  }
  return result;
}

}  // namespace compass::isa
