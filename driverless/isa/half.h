// SPDX-License-Identifier: MIT
#pragma once

#include "driverless/isa/concrete.h"
#include "driverless/isa/float_fields.h"

/// Conversions between halves and wider floats, rounded as the mode says whatever the host does.
namespace compass::isa {

/// Exact. NaNs become quiet and keep their payload.
template <class D>
constexpr F32<D> f16_to_f32(F16<D> a) {
  U32<D> value = magnitude(a);
  U32<D> wide = value << like(value, 13u);
  // A subnormal is its fraction, an integer, times 2^-24.
  U32<D> subnormal = {D::fmul32(D::u32_to_f32(value.rep), D::constant32(0x3380'0000u))};
  U32<D> number = select(value < like(value, 0x400u), subnormal, wide + like(wide, 112u << 23));
  U32<D> nan = select(is_nan(a), like(wide, 0x7FC0'0000u), like(wide, 0x7F80'0000u));
  U32<D> made = select(value < like(value, 0x7C00u), number, wide | nan);
  return as_f32(made | (sign_of(a) << like(value, 16u)));
}
static_assert(f16_to_f32(F16<C>{0x8001}).rep == 0xB380'0000);
static_assert(f16_to_f32(F16<C>{0x3C00}).rep == 0x3F80'0000);
static_assert(f16_to_f32(F16<C>{0x7C01}).rep == 0x7FC0'2000, "made quiet");

/// The magnitude of a finite single, rounded to the nearest half, ties to even.
template <class D>
constexpr U32<D> narrow_to_nearest(U32<D> value) {
  U32<D> odd = (value >> like(value, 13u)) & like(value, 1u);
  U32<D> normal = (value + like(value, 0xFFFu) + odd - like(value, 112u << 23)) >> like(value, 13u);
  // Below 2^-14: adding a half leaves a multiple of 2^-24 in the low bits.
  U32<D> half = like(value, 0x3F00'0000u);
  U32<D> subnormal = U32<D>{D::fadd32(value.rep, half.rep)} - half;
  U32<D> finite = select(value < like(value, 113u << 23), subnormal, normal);
  return select(value < like(value, 0x477F'F000u), finite, like(value, 0x7C00u));
}

/// The same in another direction; `away` where an inexact magnitude grows.
template <class D>
constexpr U32<D> narrow_directed(U32<D> value, B1<D> away) {
  U32<D> exponent = value >> like(value, 23u);
  B1<D> is_normal = !(exponent < like(value, 113u));
  U32<D> fraction = value & like(value, 0x7F'FFFFu);
  U32<D> significand =
      select(exponent == like(value, 0u), fraction, fraction | like(value, 0x80'0000u));
  U32<D> drop =
      select(is_normal, like(value, 13u),
             select(exponent < like(value, 96u), like(value, 31u), like(value, 126u) - exponent));
  U32<D> lost = significand & ((like(value, 1u) << drop) - like(value, 1u));
  U32<D> kept =
      select(is_normal, (value - like(value, 112u << 23)) >> like(value, 13u), significand >> drop);
  U32<D> grown = kept + zext32(away & (lost != like(lost, 0u)));
  U32<D> limit = select(away, like(value, 0x7C00u), like(value, 0x7BFFu));
  return select(value < like(value, 0x4780'0000u), grown, limit);
}

template <class D>
constexpr B1<D> grows(Round round, B1<D> negative) {
  if (round == Round::kUp) return !negative;
  if (round == Round::kDown) return negative;
  return negative & !negative;
}

/// Rounded once, in the mode for halves; subnormal results are kept.
template <class D>
constexpr F16<D> narrow(const Mode& mode, F32<D> a) {
  U32<D> value = magnitude(a);
  U32<D> finite = mode.round_wide == Round::kNearestEven
                      ? narrow_to_nearest(value)
                      : narrow_directed(value, grows(mode.round_wide, is_negative(a)));
  if (mode.overflow_saturates) {
    finite = select(finite < like(value, 0x7C00u), finite, like(value, 0x7BFFu));
  }
  U32<D> nan = ((value >> like(value, 13u)) & like(value, 0x3FFu)) | like(value, 0x7E00u);
  U32<D> special = select(is_nan(a), nan, like(value, 0x7C00u));
  U32<D> made = select(value < like(value, 0x7F80'0000u), finite, special);
  return as_f16(made | (sign_of(a) >> like(value, 16u)));
}
static_assert(narrow(Mode{}, F32<C>{0x477F'EFFF}).rep == 0x7BFF);
static_assert(narrow(Mode{}, F32<C>{0x477F'F000}).rep == 0x7C00, "half a step above the greatest");
static_assert(narrow(Mode{}, F32<C>{0x3300'0000}).rep == 0, "a tie to even");
static_assert(narrow(Mode{}, F32<C>{0xB300'0001}).rep == 0x8001);
static_assert(narrow(Mode{}, F32<C>{0x387F'F000}).rep == 0x0400, "up to the least normal");
static_assert(narrow(Mode{.round_wide = Round::kUp}, F32<C>{0x0000'0001}).rep == 1);
static_assert(narrow(Mode{.round_wide = Round::kTowardsZero}, F32<C>{0x477F'FFFF}).rep == 0x7BFF);
static_assert(narrow(Mode{.round_wide = Round::kDown}, F32<C>{0xC77F'FFFF}).rep == 0xFC00);

/// A single that is `a` where a single can be, else truncated and made odd: to be rounded once
/// more.
template <class D>
constexpr F32<D> to_odd(F64<D> a) {
  U32<D> near = {D::f64_to_f32(a.rep)};
  F64<D> back = {D::f32_to_f64(near.rep)};
  U32<D> truncated = near - zext32(B1<D>{magnitude(back) > magnitude(a)});
  B1<D> exact = (bits(back) == bits(a)) | is_nan(a);
  return as_f32(select(exact, near, truncated | like(near, 1u)));
}
static_assert(to_odd(F64<C>{0x3FF0'0000'0000'0001}).rep == 0x3F80'0001);
static_assert(to_odd(F64<C>{0x3FFF'FFFF'FFFF'FFFF}).rep == 0x3FFF'FFFF);

/// As an instruction that converts does it.
template <class D>
constexpr F16<D> f32_to_f16(const Mode& mode, F32<D> a) {
  return leave(mode, narrow(mode, enter(mode, a)));
}

}  // namespace compass::isa
