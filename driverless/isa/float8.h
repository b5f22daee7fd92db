// SPDX-License-Identifier: MIT
#pragma once

#include "driverless/isa/functions.h"

/// 8-bit floats: FP8 (E4M3) and BF8 (E5M2), as gfx950 has them (OCP) and as gfx942 does (FNUZ: no
/// infinity, no -0, one NaN, exponents biased by one more).
namespace compass::isa {

struct Float8Format {
  unsigned fraction_bits;
  int bias;
  bool is_fnuz;
  std::uint32_t greatest;  ///< finite, as bits
  std::uint32_t infinity;  ///< what overflows to, and what infinity becomes; a NaN if there is none
  std::uint32_t nan;       ///< positive
};
inline constexpr Float8Format kFp8{3, 7, false, 0x7E, 0x7F, 0x7F};
inline constexpr Float8Format kBf8{2, 15, false, 0x7B, 0x7C, 0x7F};
inline constexpr Float8Format kFp8Fnuz{3, 8, true, 0x7F, 0x80, 0x80};
inline constexpr Float8Format kBf8Fnuz{2, 16, true, 0x7F, 0x80, 0x80};

/// Exact, from the low eight bits.
template <class D>
constexpr F32<D> float8_to_f32(const Float8Format& format, U32<D> code) {
  const unsigned bits = format.fraction_bits;
  const auto power = [](int exponent) { return static_cast<std::uint32_t>(127 + exponent) << 23; };
  U32<D> value = code & like(code, 0x7Fu);
  U32<D> sign = (code & like(code, 0x80u)) << like(code, 24u);
  U32<D> normal = (value << like(code, 23 - bits)) + like(code, power(-format.bias));
  U32<D> unit = like(code, power(1 - format.bias - static_cast<int>(bits)));
  U32<D> subnormal = {D::fmul32(D::u32_to_f32(value.rep), unit.rep)};
  U32<D> number = select(value < like(code, 1u << bits), subnormal, normal) | sign;
  if (format.is_fnuz) {
    return as_f32(
        select((code & like(code, 0xFFu)) == like(code, 0x80u), like(code, 0x7FC0'0000u), number));
  }
  U32<D> infinite =
      select(value == like(code, format.infinity), sign | like(code, 0x7F80'0000u), number);
  B1<D> nan = format.infinity == format.nan ? value == like(code, format.nan)
                                            : value > like(code, format.infinity);
  return as_f32(select(nan, sign | like(code, 0x7FC0'0000u), infinite));
}

/// To the nearest, ties to even, in every rounding mode. What overflows becomes infinity or a NaN,
/// or with FP16_OVFL the greatest number.
template <class D>
constexpr U32<D> f32_to_float8(const Mode& mode, const Float8Format& format, F32<D> a) {
  const unsigned bits = format.fraction_bits, dropped = 23 - bits;
  a = enter(mode, a);
  U32<D> value = magnitude(a);
  U32<D> sign = sign_of(a) >> like(value, 24u);
  U32<D> odd = (value >> like(value, dropped)) & like(value, 1u);
  const auto rebias = static_cast<std::uint32_t>(127 - format.bias);
  U32<D> rounded = value + odd + like(value, (1u << (dropped - 1)) - 1);
  U32<D> normal = (rounded >> like(value, dropped)) - like(value, rebias << bits);
  // A subnormal: the significand, shifted down to the unit, and what that loses.
  U32<D> exponent = value >> like(value, 23u);
  U32<D> significand = (value & like(value, 0x7F'FFFFu)) | like(value, 0x80'0000u);
  U32<D> wanted = like(value, rebias + 1 + dropped) - exponent;
  U32<D> shift =
      select(exponent < like(value, rebias + 1 + dropped - 25), like(value, 25u), wanted);
  U32<D> kept = significand >> (shift & like(value, 31u));
  U32<D> half_less =
      ((like(value, 1u) << ((shift - like(value, 1u)) & like(value, 31u))) - like(value, 1u));
  U32<D> subnormal =
      (significand + half_less + (kept & like(value, 1u))) >> (shift & like(value, 31u));
  U32<D> finite = select(exponent < like(value, rebias + 1), subnormal, normal);
  const std::uint32_t limit = mode.overflow_saturates ? format.greatest : format.infinity;
  finite = select(finite > like(value, format.greatest), like(value, limit), finite);
  U32<D> special = select(is_nan(a), like(value, format.nan), like(value, format.infinity));
  U32<D> made = select(value < like(value, 0x7F80'0000u), finite, special);
  if (!format.is_fnuz) return made | sign;
  B1<D> unsigned_one = (made == like(value, 0u)) | (made == like(value, 0x80u));
  return select(unsigned_one, made, made | sign);
}
static_assert(f32_to_float8(Mode{}, kFp8, F32<C>{0x43E0'0000}).rep == 0x7E, "448");
static_assert(f32_to_float8(Mode{}, kFp8, F32<C>{0x43E8'0000}).rep == 0x7E, "464 is a tie");
static_assert(f32_to_float8(Mode{}, kFp8, F32<C>{0xC3E8'0001}).rep == 0xFF,
              "and beyond is no number");
static_assert(f32_to_float8(Mode{.overflow_saturates = true}, kFp8, F32<C>{0x44FA'0000}).rep ==
              0x7E);
static_assert(f32_to_float8(Mode{}, kFp8, F32<C>{0x3B00'0000}).rep == 1, "2^-9");
static_assert(f32_to_float8(Mode{}, kFp8, F32<C>{0x3A80'0000}).rep == 0, "2^-10: a tie");
static_assert(f32_to_float8(Mode{}, kFp8, F32<C>{0x3A80'0001}).rep == 1);
static_assert(f32_to_float8(Mode{}, kFp8, F32<C>{0x3C7F'FFFF}).rep == 8, "up to the least normal");
static_assert(f32_to_float8(Mode{}, kBf8, F32<C>{0x477F'FFFF}).rep == 0x7C);
static_assert(f32_to_float8(Mode{}, kFp8Fnuz, F32<C>{0x8000'0000}).rep == 0, "no -0");
static_assert(f32_to_float8(Mode{}, kFp8Fnuz, F32<C>{0x3F80'0000}).rep == 0x40);
static_assert(f32_to_float8(Mode{}, kFp8Fnuz, F32<C>{0xFF80'0000}).rep == 0x80);
static_assert(float8_to_f32(kFp8, U32<C>{0x81}).rep == 0xBB00'0000);
static_assert(float8_to_f32(kFp8, U32<C>{0x7E}).rep == 0x43E0'0000);
static_assert(float8_to_f32(kBf8, U32<C>{0xFC}).rep == 0xFF80'0000);
static_assert(float8_to_f32(kBf8Fnuz, U32<C>{0x7F}).rep == 0x4760'0000, "57344");

}  // namespace compass::isa
