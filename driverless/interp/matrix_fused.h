// SPDX-License-Identifier: MIT
#pragma once

#include "driverless/interp/matrix_frame.h"
#include "driverless/isa/mfma_arithmetic.h"

/// MFMA whose products are added in groups: isa::MatrixSum::kFused and kFusedPairs.
namespace compass::interp {

/// A or B, split for isa::aligned_product.
template <isa::MfmaShape Shape>
struct SplitMatrix {
  alignas(64) float significand[Shape.blocks][Shape.k][Shape.m];
  alignas(64) std::int32_t exponent[Shape.blocks][Shape.k][Shape.m];
  std::int32_t largest_exponent = isa::kZeroExponent;
  bool all_finite = true;

  template <isa::MatrixType Type, class Input>
  void split(const Input& input) {
    constexpr isa::FloatFormat kFormat =
        Type == isa::MatrixType::kXf32 ? isa::FloatFormat{8, 10, 127} : isa::format_of(Type);
    constexpr unsigned kDropped = Type == isa::MatrixType::kXf32 ? 13 : 0;
    std::int32_t largest = largest_exponent;
    unsigned special = 0;
    const std::uint32_t* const from = &input.at[0][0][0];
    float* const significands = &significand[0][0][0];
    std::int32_t* const exponents = &exponent[0][0][0];
#pragma GCC ivdep
    for (unsigned n = 0; n < Shape.blocks * Shape.k * Shape.m; ++n) {
      const std::uint32_t bits = from[n];
      const isa::SplitFactor factor = isa::split_factor(bits >> kDropped, kFormat.exponent_bits,
                                                        kFormat.fraction_bits, kFormat.bias);
      significands[n] = factor.significand;
      exponents[n] = factor.exponent;
      largest = isa::greater(largest, factor.exponent);
      special |= isa::class_of(Type, bits) != isa::FactorClass::kFinite ? 1u : 0u;
    }
    largest_exponent = largest;
    all_finite = special == 0;
  }
};

/// Sums products of finite factors into C.
template <isa::MfmaShape Shape, isa::MatrixSum Sum, unsigned Group>
struct FusedSum {
  static constexpr unsigned kGroup = Group < Shape.k ? Group : Shape.k;
  static constexpr unsigned kM = Shape.m;
  using Split = SplitMatrix<Shape>;

  /// The products of one row of A with a group of B's rows: every `Step`-th from `first`.
  struct Terms {
    std::int32_t largest[kM], sum[kM];
  };
  template <unsigned Step>
  static void add_terms(const Split& a, const Split& b, unsigned block, unsigned i, unsigned first,
                        Terms& terms) {
    std::fill_n(terms.largest, kM, 2 * isa::kZeroExponent);
    std::fill_n(terms.sum, kM, 0);
    for (unsigned kk = first; kk < first + kGroup; kk += Step) {
      const std::int32_t exponent = a.exponent[block][kk][i];
#pragma GCC unroll 1  // vectorize it rather than unroll it
      for (unsigned j = 0; j < kM; ++j) {
        terms.largest[j] = isa::greater(terms.largest[j], exponent + b.exponent[block][kk][j]);
      }
    }
    for (unsigned kk = first; kk < first + kGroup; kk += Step) {
      const std::int32_t exponent = a.exponent[block][kk][i];
      const float significand = a.significand[block][kk][i];
#pragma GCC unroll 1  // vectorize it rather than unroll it
      for (unsigned j = 0; j < kM; ++j) {
        terms.sum[j] += isa::aligned_product(significand, b.significand[block][kk][j],
                                             exponent + b.exponent[block][kk][j], terms.largest[j]);
      }
    }
  }

  static void add_row(const Split& a, const Split& b, unsigned block, unsigned i, float (&c)[kM]) {
    for (unsigned first = 0; first < Shape.k; first += kGroup) {
      Terms terms;
      if constexpr (Sum == isa::MatrixSum::kFused) {
        add_terms<1>(a, b, block, i, first, terms);
#pragma GCC unroll 1
        for (unsigned j = 0; j < kM; ++j) {
          c[j] = isa::fused_add(terms.sum[j], terms.largest[j], c[j], isa::kNeverDropped);
        }
      } else {
        Terms odd;
        add_terms<2>(a, b, block, i, first, terms);
        add_terms<2>(a, b, block, i, first + 1, odd);
#pragma GCC unroll 1
        for (unsigned j = 0; j < kM; ++j) {
          const double sum =
              isa::join_pairs(terms.sum[j], terms.largest[j], odd.sum[j], odd.largest[j]);
          c[j] = isa::fused_add(sum, isa::greater(terms.largest[j], odd.largest[j]), c[j], 25);
        }
      }
    }
  }

  static void add(const Split& a, const Split& b, MatrixOutput<Shape>& c) {
    for (unsigned block = 0; block < Shape.blocks; ++block) {
      for (unsigned i = 0; i < kM; ++i) {
        alignas(64) float row[kM];
        std::memcpy(row, c.at[block][i], sizeof row);
        add_row(a, b, block, i, row);
        std::memcpy(c.at[block][i], row, sizeof row);
      }
    }
  }
};

/// What infinities and NaNs make of a sum: nothing, or the result whatever the numbers are.
class SpecialSum {
 public:
  void add(isa::FactorClass a, isa::FactorClass b, bool negative, bool a_is_zero, bool b_is_zero,
           bool overflows) {
    using isa::FactorClass;
    if (a == FactorClass::kNan || b == FactorClass::kNan) nan_ = true;
    const bool infinite = a == FactorClass::kInfinite || b == FactorClass::kInfinite;
    if (infinite && (a_is_zero || b_is_zero)) nan_ = true;
    if (infinite || overflows) (negative ? minus_ : plus_) = true;
  }
  void add_c(std::uint32_t bits) {
    const isa::FactorClass c = isa::class_of(isa::MatrixType::kF32, bits);
    if (c == isa::FactorClass::kNan) nan_ = true;
    if (c == isa::FactorClass::kInfinite) (bits >> 31 != 0 ? minus_ : plus_) = true;
  }
  /// Whether `result` is what comes out.
  bool decides(std::uint32_t& result) const {
    if (!nan_ && !plus_ && !minus_) return false;
    const bool is_nan = nan_ || (plus_ && minus_);
    result = is_nan ? 0x7FC0'0000 : minus_ ? 0xFF80'0000 : 0x7F80'0000;
    return true;
  }

 private:
  bool nan_ = false, plus_ = false, minus_ = false;
};

/// Puts right what FusedSum made of elements with infinities, NaNs or products beyond single
/// precision. `class_a` and `class_b` give the class of the element at [block][k][i].
template <isa::MfmaShape Shape, class ClassA, class ClassB>
void correct_specials(const SplitMatrix<Shape>& split_a, const SplitMatrix<Shape>& split_b,
                      const MatrixOutput<Shape>& before, MatrixOutput<Shape>& c, ClassA class_a,
                      ClassB class_b) {
  for (unsigned block = 0; block < Shape.blocks; ++block) {
    for (unsigned i = 0; i < Shape.m; ++i) {
      for (unsigned j = 0; j < Shape.m; ++j) {
        SpecialSum special;
        special.add_c(before.at[block][i][j]);
        for (unsigned kk = 0; kk < Shape.k; ++kk) {
          const float x = split_a.significand[block][kk][i], y = split_b.significand[block][kk][j];
          const int exponent = split_a.exponent[block][kk][i] + split_b.exponent[block][kk][j];
          const float product = x * y;
          const bool overflows = exponent + (product >= 2 || product <= -2 ? 1 : 0) >= 128;
          special.add(class_a(block, kk, i), class_b(block, kk, j),
                      std::signbit(x) != std::signbit(y), x == 0, y == 0, overflows);
        }
        special.decides(c.at[block][i][j]);
      }
    }
  }
}

template <isa::MfmaShape Shape>
bool all_finite(const MatrixOutput<Shape>& c) {
  const std::uint32_t* const flat = &c.at[0][0][0];
  unsigned special = 0;
  for (unsigned n = 0; n < sizeof c.at / sizeof *flat; ++n) {
    special |= (flat[n] & 0x7F80'0000) == 0x7F80'0000 ? 1u : 0u;
  }
  return special == 0;
}

/// MFMA on types of 16 bits and on xf32.
template <isa::MfmaShape Shape>
struct FusedFrame {
  static constexpr isa::MatrixArithmetic kArithmetic = isa::arithmetic_of(Shape.type);

  template <isa::HostLevel Level>
  static void run(Wavefront& wave, const Op& op) {
    MatrixInput<Shape> a, b;
    MatrixOutput<Shape> c;
    a.load(wave.vgpr + op.sources[0].index);
    a.broadcast(op.cbsz, op.abid);
    b.load_permuted(wave.vgpr + op.sources[1].index, op.blgp);
    c.load(wave, op.sources[2]);
    SplitMatrix<Shape> split_a, split_b;
    split_a.template split<Shape.type>(a);
    split_b.template split<Shape.type>(b);
    const bool plain = split_a.all_finite && split_b.all_finite && all_finite(c) &&
                       split_a.largest_exponent + split_b.largest_exponent < 127;
    using Sum = FusedSum<Shape, kArithmetic.sum, kArithmetic.group>;
    if (plain) {
      Sum::add(split_a, split_b, c);
    } else {
      const MatrixOutput<Shape> before = c;
      Sum::add(split_a, split_b, c);
      const auto classes_of = [](const MatrixInput<Shape>& matrix) {
        return [&](unsigned block, unsigned kk, unsigned i) {
          return isa::class_of(Shape.type, matrix.at[block][kk][i]);
        };
      };
      correct_specials(split_a, split_b, before, c, classes_of(a), classes_of(b));
    }
    c.store(wave, op.results[0]);
  }
};

}  // namespace compass::interp
