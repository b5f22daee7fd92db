// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

/// MFMA: D = C + A * B over whole registers, `blocks` products side by side. Manual: CDNA3 and
/// CDNA4 ISA, "Matrix Arithmetic Instructions".
///
/// A row of `mfma.def` gives shape and types; the layout below says which lane and which of its
/// values holds an element; mfma_arithmetic.h says how a sum of products is rounded.
namespace compass::isa {

enum class MatrixType : std::uint8_t {
  kF32,
  kXf32,  ///< in 32 bits, of which the lowest 13 are dropped
  kF64,
  kF16,
  kBf16,
  kI8,
  kFp8Fnuz,
  kBf8Fnuz,  ///< gfx942: no infinities, no -0
  kFp8,
  kBf8,
  kFp6,
  kBf6,
  kFp4,  ///< gfx950: as the OCP defines them
};

constexpr unsigned bits_of(MatrixType type) {
  switch (type) {
    case MatrixType::kF64:
      return 64;
    case MatrixType::kF32:
    case MatrixType::kXf32:
      return 32;
    case MatrixType::kF16:
    case MatrixType::kBf16:
      return 16;
    case MatrixType::kFp6:
    case MatrixType::kBf6:
      return 6;
    case MatrixType::kFp4:
      return 4;
    default:
      return 8;
  }
}

/// The numbers that CBSZ and BLGP give to types in f8f6f4 instructions, and two more for gfx942.
inline constexpr MatrixType kNarrowTypes[] = {
    MatrixType::kFp8, MatrixType::kBf8,     MatrixType::kFp6,     MatrixType::kBf6,
    MatrixType::kFp4, MatrixType::kFp8Fnuz, MatrixType::kBf8Fnuz,
};
inline constexpr unsigned kNarrowTypeCount = 7, kFirstFnuzType = 5;

/// k in a block with one scale.
inline constexpr unsigned kScaleBlock = 32;

/// A holds m x k, B k x n, C and D m x n elements a block; m = n. `type` is A's, and B's unless a
/// row says otherwise.
struct MfmaShape {
  unsigned m, k, blocks;
  MatrixType type;
  /// Consecutive k in one lane, if not all that the lane holds.
  unsigned chunk = 0;

  constexpr unsigned lanes_along_k() const { return 64 / (m * blocks); }
  constexpr unsigned k_a_lane() const { return k / lanes_along_k(); }
  constexpr unsigned input_registers() const { return (k_a_lane() * bits_of(type) + 31) / 32; }
  constexpr bool is_double() const { return type == MatrixType::kF64; }
  constexpr unsigned output_elements() const { return m * m * blocks / 64; }
  constexpr unsigned output_registers() const { return output_elements() * (is_double() ? 2 : 1); }
};

/// The same shape for another type: `chunk` is for types of 8 bits.
constexpr MfmaShape with_type(MfmaShape shape, MatrixType type) {
  shape.type = type;
  if (bits_of(type) != 8) shape.chunk = 0;
  return shape;
}

/// Which lane and which of its values, counted from the first register, holds an element.
struct LaneElement {
  unsigned lane, element;
};

/// A's element (i, kk) of a block: i runs along lanes, then blocks, then k in groups of consecutive
/// values. B's (kk, j) likewise.
constexpr LaneElement input_place(const MfmaShape& shape, unsigned block, unsigned i, unsigned kk) {
  const unsigned chunk = shape.chunk != 0 ? shape.chunk : shape.k_a_lane();
  const unsigned along = kk / chunk % shape.lanes_along_k();
  const unsigned round = kk / (chunk * shape.lanes_along_k());
  return {i + shape.m * (block + shape.blocks * along), round * chunk + kk % chunk};
}

/// C's and D's element (i, j) of a block: j along lanes. For 32-bit results i goes along four
/// registers, then along groups of lanes, then on along registers; blocks follow where i leaves
/// room. For f64, i goes along groups of lanes first.
constexpr LaneElement output_place(const MfmaShape& shape, unsigned block, unsigned i, unsigned j) {
  const unsigned groups = 64 / shape.m;
  if (shape.is_double()) {
    const unsigned step = groups / shape.blocks;
    return {j + shape.m * (block + shape.blocks * (i % step)), i / step};
  }
  if (shape.m == 4) return {j + shape.m * block, i};
  const unsigned elements_a_block = shape.m * shape.m / 64;
  return {j + shape.m * (i / 4 % groups),
          block * elements_a_block + i % 4 + 4 * (i / (4 * groups))};
}

namespace mfma_layout_checks {
inline constexpr MfmaShape k16x16x16{16, 16, 1, MatrixType::kF16};
inline constexpr MfmaShape k32x32x8{32, 8, 1, MatrixType::kBf16};
inline constexpr MfmaShape k32x32x1x2{32, 1, 2, MatrixType::kF32};
inline constexpr MfmaShape k4x4x4x16{4, 4, 16, MatrixType::kI8};
inline constexpr MfmaShape k16x16x4f64{16, 4, 1, MatrixType::kF64};
inline constexpr MfmaShape k4x4x4x4f64{4, 4, 4, MatrixType::kF64};
inline constexpr MfmaShape k16x16x128fp8{16, 128, 1, MatrixType::kFp8, 16};
static_assert(k16x16x16.input_registers() == 2 && k16x16x16.output_registers() == 4);
static_assert(k32x32x1x2.input_registers() == 1 && k32x32x1x2.output_registers() == 32);
static_assert(k4x4x4x16.input_registers() == 1 && k4x4x4x16.output_registers() == 4);
static_assert(k16x16x4f64.input_registers() == 2 && k16x16x4f64.output_registers() == 8);
static_assert(k4x4x4x4f64.input_registers() == 2 && k4x4x4x4f64.output_registers() == 2);
static_assert(input_place(k16x16x16, 0, 3, 9).lane == 35 &&
              input_place(k16x16x16, 0, 3, 9).element == 1);
static_assert(input_place(k32x32x1x2, 1, 3, 0).lane == 35);
static_assert(input_place(k4x4x4x4f64, 2, 1, 3).lane == 1 + 4 * 2 + 16 * 3);
static_assert(input_place(k16x16x128fp8, 0, 5, 80).lane == 21 &&
              input_place(k16x16x128fp8, 0, 5, 80).element == 16);
static_assert(output_place(k16x16x16, 0, 7, 3).lane == 19 &&
              output_place(k16x16x16, 0, 7, 3).element == 3);
static_assert(output_place(k32x32x8, 0, 8, 0).element == 4);
static_assert(output_place(k32x32x1x2, 1, 12, 2).lane == 34 &&
              output_place(k32x32x1x2, 1, 12, 2).element == 20);
static_assert(output_place(k4x4x4x16, 9, 2, 1).lane == 37 &&
              output_place(k4x4x4x16, 9, 2, 1).element == 2);
static_assert(output_place(k16x16x4f64, 0, 6, 1).lane == 33 &&
              output_place(k16x16x4f64, 0, 6, 1).element == 1);
static_assert(output_place(k4x4x4x4f64, 2, 3, 1).lane == 1 + 4 * 2 + 16 * 3);
}  // namespace mfma_layout_checks

/// CBSZ and ABID: blocks in groups of 2^cbsz use the A of block `abid` of their group.
constexpr unsigned broadcast_block(unsigned block, unsigned cbsz, unsigned abid) {
  const unsigned mask = (1u << cbsz) - 1;
  return (block & ~mask) | (abid & mask);
}
static_assert(broadcast_block(3, 1, 0) == 2 && broadcast_block(3, 2, 1) == 1);

/// BLGP, other than for f64: the lane whose B a lane uses. 3, which rotates, is not supported:
/// public sources do not agree on the direction.
constexpr unsigned permuted_lane(unsigned lane, unsigned blgp) {
  if (blgp == 0) return lane;
  return blgp <= 2 ? lane % 32 + 32 * (blgp - 1) : lane % 16 + 16 * (blgp - 4);
}
static_assert(permuted_lane(40, 1) == 8 && permuted_lane(5, 2) == 37 && permuted_lane(40, 7) == 56);

}  // namespace compass::isa
