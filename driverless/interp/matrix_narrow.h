// SPDX-License-Identifier: MIT
#pragma once

#include "driverless/interp/matrix_fused.h"

namespace compass::interp {

/// A or B of a type that the instruction chooses.
template <isa::MfmaShape Shape>
struct NarrowSide {
  isa::MatrixType type{};
  std::uint32_t bits[Shape.k][Shape.m];
  bool scale_is_nan[Shape.k / isa::kScaleBlock + 1][Shape.m] = {};
  SplitMatrix<Shape> split;

  void load(const LaneRow* registers, unsigned code) {
    [&]<std::size_t... N>(std::index_sequence<N...>) {
      ((code == N ? load_as<isa::kNarrowTypes[N]>(registers) : void()), ...);
    }
    (std::make_index_sequence<isa::kNarrowTypeCount>());
  }

  /// Multiplies blocks of 32 k by powers of two, one a block and row, in byte `byte` of `scales`.
  void scale(const LaneRow& scales, unsigned byte) {
    std::int32_t largest = 0;
    for (unsigned block = 0; block < Shape.k / isa::kScaleBlock; ++block) {
      std::int32_t exponent[Shape.m];
      for (unsigned i = 0; i < Shape.m; ++i) {
        const std::uint32_t scale = scales[Shape.m * block + i] >> 8 * byte & 0xFF;
        exponent[i] = static_cast<std::int32_t>(scale) - 127;
        scale_is_nan[block][i] = scale == 0xFF;
        split.all_finite = split.all_finite && scale != 0xFF;
        largest = isa::greater(largest, exponent[i]);
      }
      for (unsigned kk = 0; kk < isa::kScaleBlock; ++kk) {
#pragma GCC unroll 1  // vectorize it rather than unroll it
        for (unsigned i = 0; i < Shape.m; ++i) {
          split.exponent[0][block * isa::kScaleBlock + kk][i] += exponent[i];
        }
      }
    }
    split.largest_exponent += largest;  // at most
  }

  isa::FactorClass class_at(unsigned kk, unsigned i) const {
    if (scale_is_nan[kk / isa::kScaleBlock][i]) return isa::FactorClass::kNan;
    return isa::class_of(type, bits[kk][i]);
  }

 private:
  template <isa::MatrixType Type>
  void load_as(const LaneRow* registers) {
    MatrixInput<isa::with_type(Shape, Type)> input;
    input.load(registers);
    type = Type;
    std::memcpy(bits, input.at, sizeof bits);
    split.template split<Type>(input);
  }
};

/// MFMA on types of 8 bits and fewer. `Op::cbsz` and `blgp` are indices of isa::kNarrowTypes.
template <isa::MfmaShape Shape>
struct NarrowFrame {
  static void scale(const Wavefront& wave, const Source& source, unsigned byte,
                    NarrowSide<Shape>& side) {
    if (source.kind == SourceKind::kNone) return;
    if (source.kind == SourceKind::kVgpr) return side.scale(wave.vgpr[source.index], byte);
    LaneRow same;
    std::fill_n(same, kLanes, static_cast<std::uint32_t>(source.constant));
    side.scale(same, byte);
  }

  template <isa::HostLevel Level>
  static void run(Wavefront& wave, const Op& op) {
    NarrowSide<Shape> a, b;
    MatrixOutput<Shape> c;
    a.load(wave.vgpr + op.sources[0].index, op.cbsz);
    b.load(wave.vgpr + op.sources[1].index, op.blgp);
    c.load(wave, op.sources[2]);
    scale(wave, op.sources[3], op.scale_a, a);
    scale(wave, op.sources[4], op.scale_b, b);
    const MatrixOutput<Shape> before = c;
    constexpr isa::MatrixArithmetic kArithmetic = isa::arithmetic_of(Shape.type);
    FusedSum<Shape, kArithmetic.sum, kArithmetic.group>::add(a.split, b.split, c);
    const bool plain = a.split.all_finite && b.split.all_finite && all_finite(before) &&
                       a.split.largest_exponent + b.split.largest_exponent < 127;
    if (!plain) {
      const auto classes_of = [](const NarrowSide<Shape>& side) {
        return [&](unsigned, unsigned kk, unsigned i) { return side.class_at(kk, i); };
      };
      correct_specials(a.split, b.split, before, c, classes_of(a), classes_of(b));
    }
    c.store(wave, op.results[0]);
  }
};

}  // namespace compass::interp
