// SPDX-License-Identifier: MIT
#pragma once

#include "driverless/isa/functions.h"

/// The steps of a division: V_DIV_SCALE, V_DIV_FMAS and V_DIV_FIXUP. Manual: CDNA3 ISA, "VOP3A
/// instructions".
namespace compass::isa {

template <class V>
struct DivisionFormat;
template <class D>
struct DivisionFormat<F32<D>> {
  static constexpr std::uint32_t kFarApart = 96, kScale = 64, kTinyNumerator = 23;
  static constexpr std::uint32_t kExponentMask = 0xFF, kExponentOfOne = 127, kUnderflow = 150;
  static constexpr std::uint32_t kGreatest = 0x7F7F'FFFF, kLeastNormal = 0x0080'0000;
};
template <class D>
struct DivisionFormat<F64<D>> {
  static constexpr std::uint32_t kFarApart = 768, kScale = 128, kTinyNumerator = 53;
  static constexpr std::uint32_t kExponentMask = 0x7FF, kExponentOfOne = 1023, kUnderflow = 1075;
  static constexpr std::uint64_t kGreatest = 0x7FEF'FFFF'FFFF'FFFF,
                                 kLeastNormal = std::uint64_t{1} << 52;
};

/// The exponent's field.
template <class D>
constexpr U32<D> exponent_field(F32<D> a) {
  return magnitude(a) >> like(bits(a), 23u);
}
template <class D>
constexpr U32<D> exponent_field(F64<D> a) {
  return hi32(magnitude(a)) >> like(hi32(bits(a)), 20u);
}

template <class D>
constexpr F32<D> raw_div(F32<D> a, F32<D> b) {
  return {D::fdiv32(a.rep, b.rep)};
}
template <class D>
constexpr F64<D> raw_div(F64<D> a, F64<D> b) {
  return {D::fdiv64(a.rep, b.rep)};
}

/// Whether 1 / a is subnormal.
template <template <class> class V, class D>
constexpr B1<D> has_tiny_inverse(V<D> a) {
  V<D> inverse = raw_div(like(a, FloatFields<V<D>>::kOne), a);
  return is_tiny(inverse) & (!is_infinite(a));
}

template <template <class> class V, class D>
struct Scaled {
  V<D> vdst;
  B1<D> vcc;
};

/// S0, which is S1 or S2, scaled so that S2 / S1 can be computed without leaving the normal range;
/// VCC: V_DIV_FMAS must scale the quotient back.
template <template <class> class V, class D>
constexpr Scaled<V, D> div_scale(V<D> s0, V<D> denominator, V<D> numerator) {
  using F = DivisionFormat<V<D>>;
  U32<D> field = exponent_field(denominator), numerator_field = exponent_field(numerator);
  B1<D> far_apart = !slt(numerator_field - field, like(field, F::kFarApart));
  B1<D> subnormal = is_tiny(denominator);
  B1<D> tiny_inverse = has_tiny_inverse(denominator);
  B1<D> tiny_quotient = is_tiny(raw_div(numerator, denominator)) & (!is_infinite(denominator));

  // The manual's cases, in its order; the first that holds decides.
  B1<D> first = far_apart;
  B1<D> second = (!first) & subnormal;
  B1<D> third = (!first) & (!second) & tiny_inverse & tiny_quotient;
  B1<D> fourth = (!first) & (!second) & (!third) & tiny_inverse;
  B1<D> fifth = (!first) & (!second) & (!third) & (!fourth) & tiny_quotient;
  B1<D> sixth = (!first) & (!second) & (!third) & (!fourth) & (!fifth) &
                (!(numerator_field > like(field, F::kTinyNumerator)));
  B1<D> is_denominator = bits(s0) == bits(denominator), is_numerator = bits(s0) == bits(numerator);
  B1<D> down = fourth | (third & is_denominator);
  B1<D> up = (first & is_denominator) | second | (fifth & is_numerator) | sixth;

  V<D> scaled_up = fldexp(Mode{}, s0, like(field, F::kScale));
  V<D> scaled_down = fldexp(Mode{}, s0, like(field, 0u - F::kScale));
  V<D> scaled = select(up, scaled_up, select(down, scaled_down, s0));
  B1<D> undefined = is_zero(denominator) | is_zero(numerator);
  return {.vdst = select(undefined, like(s0, kMadeNan<V<D>>), scaled),
          .vcc = (!undefined) & (first | third | fifth)};
}
static_assert(div_scale(F32<C>{0x3F80'0000}, F32<C>{0x3F80'0000}, F32<C>{0x4040'0000}).vdst.rep ==
              0x3F80'0000);
template <class D>
constexpr F32<D> raw_fma_scaled(F32<D> a, F32<D> b, F32<D> c, U32<D> power) {
  return {D::ffma_scaled32(a.rep, b.rep, c.rep, power.rep)};
}
template <class D>
constexpr F64<D> raw_fma_scaled(F64<D> a, F64<D> b, F64<D> c, U32<D> power) {
  return {D::ffma_scaled64(a.rep, b.rep, c.rep, power.rep)};
}

/// fma(S0, S1, S2), with V_DIV_SCALE's factor undone where VCC says so, rounded once: S2, the
/// quotient so far, shows by its size in which direction.
template <template <class> class V, class D>
constexpr V<D> div_fmas(const Mode& mode, V<D> s0, V<D> s1, V<D> s2, B1<D> vcc) {
  using F = DivisionFormat<V<D>>;
  V<D> plain = ffma(mode, s0, s1, s2);
  U32<D> field = exponent_field(s2);
  B1<D> is_large = field > like(field, F::kExponentOfOne);
  U32<D> power = select(is_large, like(field, F::kScale), like(field, 0u - F::kScale));
  V<D> scaled =
      leave(mode, nan_rule(raw_fma_scaled(enter(mode, s0), enter(mode, s1), enter(mode, s2), power),
                           s0, s1, s2));
  return select(vcc, scaled, plain);
}

/// S0, the quotient S2 / S1, with the special cases put right; a quotient that became a NaN on the
/// way has overflowed.
template <class V>
constexpr V div_fixup(const Mode& mode, V quotient, V denominator, V numerator) {
  using F = DivisionFormat<V>;
  using Format = FloatFields<V>;
  V signs = as_float(quotient, bits(denominator) ^ bits(numerator));
  auto field = exponent_field(denominator);
  auto difference = exponent_field(numerator) - field;
  V tiny = like(quotient, F::kLeastNormal), huge = like(quotient, F::kGreatest);
  V underflow = raw_mul(mode, fcopysign(tiny, signs), tiny);
  V overflow = raw_mul(mode, fcopysign(huge, signs), huge);
  V rounded = select(is_nan(quotient), overflow, fcopysign(quotient, signs));
  V usual = select(slt(difference, like(field, 0u - F::kUnderflow)), underflow,
                   select(field == like(field, F::kExponentMask), overflow, rounded));
  V zero = fcopysign(like(quotient, FloatBits<V>{0}), signs);
  V infinity = fcopysign(like(quotient, Format::kInfinity), signs);
  V finite = select(is_infinite(denominator) | is_zero(numerator), zero, usual);
  V number = select(is_zero(denominator) | is_infinite(numerator), infinity, finite);
  auto undefined = (is_zero(denominator) & is_zero(numerator)) |
                   (is_infinite(denominator) & is_infinite(numerator));
  V made = select(undefined, like(quotient, kUndefinedNan<V>), number);
  return select(is_nan(numerator), quiet(numerator),
                select(is_nan(denominator), quiet(denominator), made));
}
template <class D>
constexpr F16<D> div_fixup(const Mode&, F16<D> quotient, F16<D> denominator, F16<D> numerator) {
  using V = F16<D>;
  V signs = as_float(quotient, bits(denominator) ^ bits(numerator));
  V zero = fcopysign(like(quotient, 0u), signs);
  V infinity = fcopysign(like(quotient, 0x7C00u), signs);
  V finite =
      select(is_infinite(denominator) | is_zero(numerator), zero, fcopysign(quotient, signs));
  V number = select(is_zero(denominator) | is_infinite(numerator), infinity, finite);
  B1<D> undefined = (is_zero(denominator) & is_zero(numerator)) |
                    (is_infinite(denominator) & is_infinite(numerator));
  V made = select(undefined, like(quotient, kUndefinedNan<V>), number);
  return select(is_nan(numerator), quiet(numerator),
                select(is_nan(denominator), quiet(denominator), made));
}

}  // namespace compass::isa
