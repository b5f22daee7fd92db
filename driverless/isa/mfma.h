// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "driverless/isa/domain.h"
#include "driverless/isa/float.h"

/// MFMA: D = C + A * B over whole registers. Manual: CDNA3 ISA, "Matrix Arithmetic Instructions".
///
/// A row of `mfma.def` gives shape and types; the layout below says which lane and register holds
/// which element; `mfma_step` is the arithmetic of one product.
namespace compass::isa {

enum class MatrixType : std::uint8_t { kBf16, kF32 };

/// A holds m x k, B k x n, C and D m x n elements; `blocks` independent products.
struct MfmaShape {
  unsigned m, n, k, blocks;
  MatrixType input;
};

/// Which lane and which of its values, counted from the first register, holds an element.
struct LaneElement {
  unsigned lane, element;
};

/// A's element (i, kk): i runs along lanes, k in groups of consecutive values. B's (kk, j) likewise.
constexpr LaneElement input_place(const MfmaShape& shape, unsigned i, unsigned kk) {
  const unsigned lanes_along_k = 64 / (shape.m * shape.blocks);
  const unsigned per_lane = shape.k / lanes_along_k;
  return {i + shape.m * (kk / per_lane), kk % per_lane};
}

/// C's and D's element (i, j): j along lanes, i in groups of four registers.
constexpr LaneElement output_place(const MfmaShape& shape, unsigned i, unsigned j) {
  const unsigned groups = 64 / shape.n;
  return {j + shape.n * (i / 4 % groups), i % 4 + 4 * (i / (4 * groups))};
}
static_assert(output_place({16, 16, 16, 1, MatrixType::kBf16}, 7, 3).lane == 19);
static_assert(output_place({32, 32, 8, 1, MatrixType::kBf16}, 8, 0).element == 4);

/// A bfloat16 in the low half of `half`, exactly.
template <class D>
constexpr F32<D> bf16_to_f32(U32<D> half) {
  return as_f32(half << like(half, 16u));
}

/// Adds one product to an accumulator. `assumed`, for gfx942 and gfx950: products in the order of k,
/// each added with one rounding to nearest even, subnormals kept. No public document fixes it
/// (docs/isa-errata.md#mfma).
template <class D>
constexpr F32<D> mfma_step(Mode mode, F32<D> a, F32<D> b, F32<D> accumulator) {
  return ffma(mode, a, b, accumulator);
}

}  // namespace compass::isa
