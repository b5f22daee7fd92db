// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string_view>

#include "driverless/isa/atomic.h"
#include "driverless/isa/concrete.h"
#include "driverless/isa/domain.h"
#include "driverless/isa/float.h"
#include "driverless/isa/mfma.h"
#include "driverless/isa/row.h"

/// How MFMA rounds. No document of AMD's fixes it for floating point; for CDNA3 (gfx942) it was
/// measured: Xie et al., "MMA-Sim", arXiv 2511.10909.
namespace compass::isa {

/// How the products of one element of D come together.
enum class MatrixSum : std::uint8_t {
  kExact,  ///< integers, modulo 2^32
  kChain,  ///< one fused multiply-add after another in the order of k, each rounded to nearest even
  /// Products of a group of k are truncated to 24 bits below the largest one's exponent and added;
  /// that sum is cut (towards minus infinity) to 31 bits and C to 24 bits below the larger exponent
  /// of the two; their sum is rounded to nearest even. Group after group. Exponents are those of
  /// the factors, added: the product of two significands may reach 4.
  kFused,
  /// As kFused, the group's even and odd products separately at first, and a C that is more than 25
  /// binary places below the sum counts as 0.
  kFusedPairs,
};

/// Whether a public document gives every bit, measurements on hardware do, or nobody does.
enum class MatrixBasis : std::uint8_t { kExact, kPublished, kAssumed };

struct MatrixArithmetic {
  MatrixType type;
  std::uint32_t targets;
  MatrixSum sum;
  unsigned group;  ///< products a group, at most
  MatrixBasis basis;
};

/// Subnormal inputs and results are kept everywhere.
inline constexpr MatrixArithmetic kMatrixArithmetic[] = {
    {MatrixType::kI8, GFX9, MatrixSum::kExact, 0, MatrixBasis::kExact},
    {MatrixType::kF64, GFX942, MatrixSum::kChain, 1, MatrixBasis::kPublished},
    {MatrixType::kF64, GFX950, MatrixSum::kChain, 1, MatrixBasis::kAssumed},
    {MatrixType::kF32, GFX942, MatrixSum::kChain, 1, MatrixBasis::kPublished},
    {MatrixType::kF32, GFX950, MatrixSum::kChain, 1, MatrixBasis::kAssumed},
    {MatrixType::kXf32, GFX942, MatrixSum::kFused, 4, MatrixBasis::kPublished},
    {MatrixType::kF16, GFX942, MatrixSum::kFused, 8, MatrixBasis::kPublished},
    {MatrixType::kF16, GFX950, MatrixSum::kFused, 8, MatrixBasis::kAssumed},
    {MatrixType::kBf16, GFX942, MatrixSum::kFused, 8, MatrixBasis::kPublished},
    {MatrixType::kBf16, GFX950, MatrixSum::kFused, 8, MatrixBasis::kAssumed},
    {MatrixType::kFp8Fnuz, GFX942, MatrixSum::kFusedPairs, 16, MatrixBasis::kPublished},
    {MatrixType::kBf8Fnuz, GFX942, MatrixSum::kFusedPairs, 16, MatrixBasis::kPublished},
    {MatrixType::kFp8, GFX950, MatrixSum::kFusedPairs, 16, MatrixBasis::kAssumed},
    {MatrixType::kBf8, GFX950, MatrixSum::kFusedPairs, 16, MatrixBasis::kAssumed},
    {MatrixType::kFp6, GFX950, MatrixSum::kFusedPairs, 16, MatrixBasis::kAssumed},
    {MatrixType::kBf6, GFX950, MatrixSum::kFusedPairs, 16, MatrixBasis::kAssumed},
    {MatrixType::kFp4, GFX950, MatrixSum::kFusedPairs, 16, MatrixBasis::kAssumed},
};

/// The first entry for `type`: entries for other architectures differ only in their basis.
constexpr const MatrixArithmetic& arithmetic_of(MatrixType type) {
  for (const MatrixArithmetic& entry : kMatrixArithmetic) {
    if (entry.type == type) return entry;
  }
  return kMatrixArithmetic[0];
}

/// kChain in single precision.
template <class D>
constexpr F32<D> mfma_step(Mode mode, F32<D> a, F32<D> b, F32<D> accumulator) {
  return ffma(mode, a, b, accumulator);
}

/// kChain in double precision; the first NaN operand decides, as in single precision.
template <class D>
constexpr U64<D> mfma_step(U64<D> a, U64<D> b, U64<D> accumulator) {
  U64<D> sum = {D::ffma64(a.rep, b.rep, accumulator.rep)};
  return select(is_nan64(accumulator) & !is_nan64(a) & !is_nan64(b),
                accumulator | like(a, std::uint64_t{1} << 51), nan_rule64(sum, a, b));
}

// kFused. A factor is split into a significand in [1, 2), or less if it is subnormal, and an
// exponent.

/// Far below every exponent: a zero decides nothing.
inline constexpr std::int32_t kZeroExponent = -4000;

struct SplitFactor {
  float significand = 0;
  std::int32_t exponent = kZeroExponent;
};

/// A finite number of `exponent_bits` and `fraction_bits` with a sign in front.
constexpr SplitFactor split_factor(std::uint32_t bits, unsigned exponent_bits,
                                   unsigned fraction_bits, int bias) {
  const std::uint32_t fraction = bits & ((1u << fraction_bits) - 1);
  const auto field = static_cast<std::int32_t>(bits >> fraction_bits & ((1u << exponent_bits) - 1));
  const std::uint32_t sign = bits >> (exponent_bits + fraction_bits) << 31;
  const std::uint32_t normal = 0x3F80'0000 | fraction << (23 - fraction_bits);
  const float scale = 1.0f / static_cast<float>(1u << fraction_bits);
  const auto subnormal =
      std::bit_cast<std::uint32_t>(static_cast<float>(static_cast<std::int32_t>(fraction)) * scale);
  const std::int32_t exponent_of_small = fraction != 0 ? 1 - bias : kZeroExponent;
  return {std::bit_cast<float>(sign | (field != 0 ? normal : subnormal)),
          field != 0 ? field - bias : exponent_of_small};
}
static_assert(split_factor(0x3E00, 5, 10, 15).significand == 1.5f);
static_assert(split_factor(0xBE00, 5, 10, 15).exponent == 0);
static_assert(split_factor(0x0001, 5, 10, 15).exponent == -14);

/// How a type splits. Zero bits are +0 in all of them.
struct FloatFormat {
  unsigned exponent_bits, fraction_bits;
  int bias;
};
constexpr FloatFormat format_of(MatrixType type) {
  switch (type) {
    case MatrixType::kF16:
      return {5, 10, 15};
    case MatrixType::kBf16:
      return {8, 7, 127};
    case MatrixType::kFp8Fnuz:
      return {4, 3, 8};
    case MatrixType::kBf8Fnuz:
      return {5, 2, 16};
    case MatrixType::kFp8:
      return {4, 3, 7};
    case MatrixType::kBf8:
      return {5, 2, 15};
    case MatrixType::kFp6:
      return {2, 3, 1};
    case MatrixType::kBf6:
      return {3, 2, 3};
    case MatrixType::kFp4:
      return {2, 1, 1};
    default:
      return {8, 23, 127};
  }
}

enum class FactorClass : std::uint8_t { kFinite, kInfinite, kNan };

/// What `bits` of a type stand for.
constexpr FactorClass class_of(MatrixType type, std::uint32_t bits) {
  const unsigned width = bits_of(type);
  const std::uint32_t magnitude = bits & ((1u << (width - 1)) - 1);
  switch (type) {
    case MatrixType::kFp8Fnuz:
    case MatrixType::kBf8Fnuz:
      return bits == 0x80 ? FactorClass::kNan : FactorClass::kFinite;
    case MatrixType::kFp8:
      return magnitude == 0x7F ? FactorClass::kNan : FactorClass::kFinite;
    case MatrixType::kFp6:
    case MatrixType::kBf6:
    case MatrixType::kFp4:
      return FactorClass::kFinite;
    default:
      break;
  }
  const FloatFormat format = format_of(type);
  const std::uint32_t infinity = ((1u << format.exponent_bits) - 1) << format.fraction_bits;
  if (magnitude < infinity) return FactorClass::kFinite;
  return magnitude == infinity ? FactorClass::kInfinite : FactorClass::kNan;
}
static_assert(class_of(MatrixType::kF16, 0xFC00) == FactorClass::kInfinite);
static_assert(class_of(MatrixType::kBf8, 0x7D) == FactorClass::kNan);
static_assert(class_of(MatrixType::kFp8Fnuz, 0x7F) == FactorClass::kFinite);

/// A product's significand in units of 2^(largest - 24), cut off.
constexpr std::int32_t aligned_product(float a, float b, std::int32_t exponent,
                                       std::int32_t largest) {
  // 2^(exponent - largest + 24); what is further below than a float's exponents reach is 0 anyway.
  const std::int32_t field = exponent - largest + 24 + 127;
  const auto scale = std::bit_cast<float>(static_cast<std::uint32_t>(field > 0 ? field : 0) << 23);
  return static_cast<std::int32_t>(a * b * scale);
}
static_assert(aligned_product(1.5f, -1.5f, 0, 0) == -(9 << 22));
static_assert(aligned_product(-1.0f, 1.0f, 0, 25) == 0, "truncation is towards zero");

constexpr double power_of_two(std::int32_t exponent) {
  return std::bit_cast<double>(static_cast<std::uint64_t>(1023 + std::int64_t{exponent}) << 52);
}
constexpr double floor_of(double x) {
  if (!std::is_constant_evaluated()) return __builtin_floor(x);
  const auto whole = static_cast<double>(static_cast<std::int64_t>(x));
  return whole > x ? whole - 1 : whole;
}
constexpr std::int32_t greater(std::int32_t a, std::int32_t b) { return a > b ? a : b; }

/// Adds a group's sum, in units of 2^(largest - 24), to C. `drop_below` is the distance from which
/// on a smaller C counts as 0.
constexpr float fused_add(double sum, std::int32_t largest, float c, std::int32_t drop_below) {
  const auto field = static_cast<std::int32_t>(std::bit_cast<std::uint32_t>(c) >> 23 & 0xFF);
  const std::int32_t exponent_of_c = greater(field - 127, -126);
  const std::int32_t exponent = greater(largest, exponent_of_c);
  const std::int32_t below = exponent - largest < 200 ? exponent - largest : 200;
  const double products = floor_of(sum * power_of_two(7 - below));
  const double kept = exponent - exponent_of_c > drop_below ? 0.0 : static_cast<double>(c);
  const double c_part = floor_of(kept * power_of_two(24 - exponent)) * 128.0;
  return static_cast<float>((products + c_part) * power_of_two(exponent - 31));
}
inline constexpr std::int32_t kNeverDropped = 1000;
static_assert(fused_add(1 << 24, 0, 1.0f, kNeverDropped) == 2.0f);
static_assert(fused_add(1 << 24, 30, -1.0f, kNeverDropped) == 0x1p30f - 64.0f,
              "a small negative C takes one unit of 2^(30 - 24) away");
static_assert(fused_add(0, kZeroExponent, -0x1p-149f, kNeverDropped) == -0x1p-149f);

/// kFusedPairs: even and odd products, each in units of its own, as one sum in units of
/// 2^(largest - 24).
constexpr double join_pairs(std::int32_t even, std::int32_t even_largest, std::int32_t odd,
                            std::int32_t odd_largest) {
  const std::int32_t largest = greater(even_largest, odd_largest);
  const std::int32_t even_below = largest - even_largest < 200 ? largest - even_largest : 200;
  const std::int32_t odd_below = largest - odd_largest < 200 ? largest - odd_largest : 200;
  return floor_of(even * power_of_two(-even_below)) + floor_of(odd * power_of_two(-odd_below));
}
static_assert(join_pairs(-1, 0, 8, 3) == 7);

}  // namespace compass::isa
