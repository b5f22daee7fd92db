// SPDX-License-Identifier: MIT
#pragma once

#include "driverless/interp/matrix_frame.h"
#include "driverless/isa/mfma_arithmetic.h"

namespace compass::interp {

/// MFMA on f32, f64 and i8: product after product.
template <isa::MfmaShape Shape>
struct ChainFrame {
  static constexpr isa::MatrixSum kSum = isa::arithmetic_of(Shape.type).sum;
  static_assert(kSum == isa::MatrixSum::kChain || kSum == isa::MatrixSum::kExact);
  using Input = MatrixInput<Shape>;
  using Output = MatrixOutput<Shape>;
  using Element = typename Output::Element;

  template <class Step>
  static void accumulate(const Input& a, const Input& b, Output& c, Step step) {
    for (unsigned block = 0; block < Shape.blocks; ++block) {
      for (unsigned i = 0; i < Shape.m; ++i) {
        Element sum[Shape.m];
        std::memcpy(sum, c.at[block][i], sizeof sum);
        for (unsigned kk = 0; kk < Shape.k; ++kk) {
          const Element factor = a.at[block][kk][i];
#pragma GCC unroll 1  // vectorize it rather than unroll it
          for (unsigned j = 0; j < Shape.m; ++j) {
            sum[j] = step(factor, b.at[block][kk][j], sum[j]);
          }
        }
        std::memcpy(c.at[block][i], sum, sizeof sum);
      }
    }
  }

  static bool has_nan(const Output& c) {
    constexpr Element kInfinity = Shape.is_double() ? Element{0x7FF} << (sizeof(Element) * 8 - 12)
                                                    : Element{0xFF} << (sizeof(Element) * 8 - 9);
    constexpr Element kMagnitude = static_cast<Element>(~Element{0}) >> 1;
    const Element* const flat = &c.at[0][0][0];
    unsigned any = 0;
    for (unsigned n = 0; n < sizeof c.at / sizeof(Element); ++n) {
      any |= (flat[n] & kMagnitude) > kInfinity ? 1u : 0u;
    }
    return any != 0;
  }

  // A NaN, once made, stays: without one at the end the rules for NaNs never applied.
  template <class Fast, class Careful>
  static void accumulate_floats(const Input& a, const Input& b, Output& c, Fast fast,
                                Careful careful) {
    Output result = c;
    accumulate(a, b, result, fast);
    if (has_nan(result)) {
      result = c;
      accumulate(a, b, result, careful);
    }
    c = result;
  }

  // Products of bytes and sums of up to 64 of them are exact in single precision.
  static void accumulate_bytes(const Input& a, const Input& b, Output& c) {
    static_assert(Shape.k * 128 * 128 < 1 << 24);
    Numbers x, y;
    to_numbers(a, x);
    to_numbers(b, y);
    for (unsigned block = 0; block < Shape.blocks; ++block) {
      for (unsigned i = 0; i < Shape.m; ++i) {
        float sum[Shape.m] = {};
        for (unsigned kk = 0; kk < Shape.k; ++kk) {
          const float factor = x.at[block][kk][i];
#pragma GCC unroll 1
          for (unsigned j = 0; j < Shape.m; ++j) sum[j] += factor * y.at[block][kk][j];
        }
#pragma GCC unroll 1
        for (unsigned j = 0; j < Shape.m; ++j) {
          c.at[block][i][j] += static_cast<std::uint32_t>(static_cast<std::int32_t>(sum[j]));
        }
      }
    }
  }

  struct Numbers {
    alignas(64) float at[Shape.blocks][Shape.k][Shape.m];
  };
  static void to_numbers(const Input& bytes, Numbers& numbers) {
    const Element* const from = &bytes.at[0][0][0];
    float* const to = &numbers.at[0][0][0];
#pragma GCC ivdep
    for (unsigned n = 0; n < Shape.blocks * Shape.k * Shape.m; ++n) {
      to[n] = static_cast<float>(static_cast<std::int32_t>((from[n] ^ 0x80) - 0x80));
    }
  }

  template <class Matrix>
  static void negate(Matrix& matrix) {
    for (auto& block : matrix.at) {
      for (auto& row : block) {
        for (Element& element : row) element ^= Element{1} << (sizeof(Element) * 8 - 1);
      }
    }
  }

  template <isa::HostLevel Level>
  static void run(Wavefront& wave, const Op& op) {
    using D = isa::Concrete<Level>;
    Input a, b;
    Output c;
    a.load(wave.vgpr + op.sources[0].index);
    a.broadcast(op.cbsz, op.abid);
    b.load_permuted(wave.vgpr + op.sources[1].index, Shape.is_double() ? 0 : op.blgp);
    c.load(wave, op.sources[2]);
    if constexpr (Shape.is_double()) {
      if ((op.blgp & 1) != 0) negate(a);
      if ((op.blgp & 2) != 0) negate(b);
      if ((op.blgp & 4) != 0) negate(c);
      accumulate_floats(a, b, c, D::ffma64, [](Element x, Element y, Element z) {
        return isa::mfma_step(isa::U64<D>{x}, isa::U64<D>{y}, isa::U64<D>{z}).rep;
      });
    } else if constexpr (kSum == isa::MatrixSum::kExact) {
      accumulate_bytes(a, b, c);
    } else {
      accumulate_floats(a, b, c, D::ffma32, [](Element x, Element y, Element z) {
        return isa::mfma_step(isa::Mode{}, isa::F32<D>{x}, isa::F32<D>{y}, isa::F32<D>{z}).rep;
      });
    }
    c.store(wave, op.results[0]);
  }
};

}  // namespace compass::interp
