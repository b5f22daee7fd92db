// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "driverless/isa/domain.h"

/// DS_READ_*_TR_*: each lane reads 64 or 96 bits at its own address; 16 lanes together then turn
/// what they read. The bits of 16 lanes in a row form rows of 16 elements, and a lane gets the
/// column of its number. Manual: CDNA4 ISA, "LDS instructions"; witness: TOOLCHAIN's notes for 16
/// and 8 bits, and published measurements on an MI350X for 8 and 4 bits.
namespace compass::isa {

inline constexpr unsigned kTransposeLanes = 16;

/// Where element `n` of a lane's result is found: a lane of the group, and which of its elements.
struct TransposePlace {
  unsigned lane, element;
};
constexpr TransposePlace transpose_place(unsigned lane, unsigned n, unsigned elements_a_lane) {
  const unsigned position = n * kTransposeLanes + lane;
  return {position / elements_a_lane, position % elements_a_lane};
}
static_assert(transpose_place(5, 2, 4).lane == 9 && transpose_place(5, 2, 4).element == 1);
static_assert(transpose_place(9, 3, 8).lane == 7 && transpose_place(9, 3, 8).element == 1);
static_assert(transpose_place(9, 3, 16).lane == 3 && transpose_place(9, 3, 16).element == 9);

}  // namespace compass::isa
