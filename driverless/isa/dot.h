// SPDX-License-Identifier: MIT
#pragma once

#include "driverless/isa/domain.h"

/// Dot products of small integers in registers.
namespace compass::isa {

/// The sum of the products of `Count` equal parts of two registers, as signed numbers.
template <unsigned Count, class D>
constexpr U32<D> dot_signed(U32<D> a, U32<D> b, U32<D> sum) {
  constexpr unsigned kWidth = 32 / Count;
  for (unsigned n = 0; n < Count; ++n) {
    U32<D> place = like(a, n * kWidth);
    sum = sum + sign_extend(a >> place, kWidth) * sign_extend(b >> place, kWidth);
  }
  return sum;
}
template <unsigned Count, class D>
constexpr U32<D> dot_unsigned(U32<D> a, U32<D> b, U32<D> sum) {
  constexpr unsigned kWidth = 32 / Count;
  U32<D> mask = like(a, (1u << kWidth) - 1);
  for (unsigned n = 0; n < Count; ++n) {
    U32<D> place = like(a, n * kWidth);
    sum = sum + ((a >> place) & mask) * ((b >> place) & mask);
  }
  return sum;
}

}  // namespace compass::isa
