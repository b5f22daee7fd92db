// SPDX-License-Identifier: MIT
#pragma once

#include "driverless/interp/fetch.h"
#include "driverless/interp/level.h"
#include "driverless/isa/mfma.h"

/// MFMA: registers to matrices and back, and the arithmetic of one product, product by product.
/// EXEC is ignored, as the manual says.
namespace compass::interp {

/// Sources are A, B and C as rows; how many is the shape's.
template <isa::MfmaShape Shape>
struct MatrixFrame {
  static_assert(Shape.blocks == 1, "one product an instruction");
  static constexpr unsigned kM = Shape.m, kN = Shape.n, kK = Shape.k;
  static constexpr bool kIsBf16 = Shape.input == isa::MatrixType::kBf16;
  static constexpr unsigned kInputElements = kM * kK / kLanes;  // a lane; n = m
  static constexpr unsigned kInputRegisters = kIsBf16 ? (kInputElements + 1) / 2 : kInputElements;
  static constexpr unsigned kOutputRegisters = kM * kN / kLanes;
  static_assert(kM == kN);

  struct Input {
    alignas(64) std::uint32_t at[kK][kM];  // [k][row of A or column of B]
  };
  struct Output {
    alignas(64) std::uint32_t at[kM][kN];
  };

  template <class D>
  static void load(const Wavefront& wave, const Source& source, Input& input) {
    SourceRows<isa::Words<D, kInputRegisters>> rows;
    rows.fetch(wave, source);
    for (unsigned kk = 0; kk < kK; ++kk) {
      for (unsigned i = 0; i < kM; ++i) {
        const isa::LaneElement place = isa::input_place(Shape, i, kk);
        if constexpr (kIsBf16) {
          const std::uint32_t word = rows.row[place.element / 2][place.lane];
          const isa::U32<D> half{place.element % 2 == 0 ? word & 0xFFFF : word >> 16};
          input.at[kk][i] = isa::bf16_to_f32(half).rep;
        } else {
          input.at[kk][i] = rows.row[place.element][place.lane];
        }
      }
    }
  }

  template <class D>
  static void load(const Wavefront& wave, const Source& source, Output& output) {
    SourceRows<isa::Words<D, kOutputRegisters>> rows;
    rows.fetch(wave, source);
    for (unsigned i = 0; i < kM; ++i) {
      for (unsigned j = 0; j < kN; ++j) {
        const isa::LaneElement place = isa::output_place(Shape, i, j);
        output.at[i][j] = rows.row[place.element][place.lane];
      }
    }
  }

  static void store(Wavefront& wave, const Destination& to, const Output& output) {
    for (unsigned i = 0; i < kM; ++i) {
      for (unsigned j = 0; j < kN; ++j) {
        const isa::LaneElement place = isa::output_place(Shape, i, j);
        wave.vgpr[to.index + place.element][place.lane] = output.at[i][j];
      }
    }
  }

  template <class Step>
  static void accumulate(const Input& a, const Input& b, Output& c, Step step) {
    for (unsigned i = 0; i < kM; ++i) {
      for (unsigned kk = 0; kk < kK; ++kk) {
        for (unsigned j = 0; j < kN; ++j) {
          c.at[i][j] = step(a.at[kk][i], b.at[kk][j], c.at[i][j]);
        }
      }
    }
  }

  static bool has_nan(const Output& c) {
    unsigned any = 0;
    for (const auto& row : c.at) {
      for (const std::uint32_t bits : row) any |= (bits & 0x7FFF'FFFFu) > 0x7F80'0000u ? 1u : 0u;
    }
    return any != 0;
  }

  template <isa::HostLevel Level>
  static void run(Wavefront& wave, const Op& op) {
    using D = isa::Concrete<Level>;
    Input a, b;
    Output c;
    load<D>(wave, op.sources[0], a);
    load<D>(wave, op.sources[1], b);
    load<D>(wave, op.sources[2], c);
    // A NaN, once made, stays: without one at the end the rules for NaNs never applied.
    Output result = c;
    accumulate(a, b, result, D::ffma32);
    if (has_nan(result)) {
      result = c;
      accumulate(a, b, result, [](std::uint32_t x, std::uint32_t y, std::uint32_t z) {
        return isa::mfma_step(isa::Mode{}, isa::F32<D>{x}, isa::F32<D>{y}, isa::F32<D>{z}).rep;
      });
    }
    store(wave, op.results[0], result);
  }
};

}  // namespace compass::interp
