// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstring>
#include <type_traits>

#include "driverless/interp/level.h"
#include "driverless/interp/op.h"
#include "driverless/isa/mfma.h"

/// Registers to matrices and back. Registers are rows of lanes, and what runs along lanes in a
/// matrix runs along lanes in a register: every inner loop is over neighbours. EXEC is ignored, as
/// the manual says.
namespace compass::interp {

/// Elements of A or B as their bits, [block][k][row of A or column of B]. One word each, two for
/// f64.
template <isa::MfmaShape Shape>
struct MatrixInput {
  using Element = std::conditional_t<Shape.is_double(), std::uint64_t, std::uint32_t>;
  alignas(64) Element at[Shape.blocks][Shape.k][Shape.m];

  void load(const LaneRow* registers) {
    for (unsigned block = 0; block < Shape.blocks; ++block) {
      for (unsigned kk = 0; kk < Shape.k; ++kk) {
        const isa::LaneElement place = isa::input_place(Shape, block, 0, kk);
        load_row(at[block][kk], registers, place.lane, place.element);
      }
    }
  }

  /// As load, from the lanes that BLGP chooses.
  void load_permuted(const LaneRow* registers, unsigned blgp) {
    if (blgp == 0) return load(registers);
    LaneRow permuted[Shape.input_registers()];
    for (unsigned n = 0; n < Shape.input_registers(); ++n) {
      for (unsigned lane = 0; lane < kLanes; ++lane) {
        permuted[n][lane] = registers[n][isa::permuted_lane(lane, blgp)];
      }
    }
    load(permuted);
  }

  /// Gives every block of a group of 2^cbsz the elements of one of them.
  void broadcast(unsigned cbsz, unsigned abid) {
    if (cbsz == 0) return;
    const MatrixInput from = *this;
    for (unsigned block = 0; block < Shape.blocks; ++block) {
      std::memcpy(at[block], from.at[isa::broadcast_block(block, cbsz, abid)], sizeof at[block]);
    }
  }

 private:
  static void load_row(Element* row, const LaneRow* registers, unsigned lane, unsigned element) {
    if constexpr (Shape.is_double()) {
      const LaneRow &low = registers[2 * element], &high = registers[2 * element + 1];
#pragma GCC unroll 1
      for (unsigned i = 0; i < Shape.m; ++i) {
        row[i] = low[lane + i] | std::uint64_t{high[lane + i]} << 32;
      }
    } else if constexpr (isa::bits_of(Shape.type) == 32) {
      std::memcpy(row, &registers[element][lane], sizeof(Element) * Shape.m);
    } else {
      constexpr unsigned kBits = isa::bits_of(Shape.type);
      const unsigned word = element * kBits / 32, shift = element * kBits % 32;
      constexpr std::uint32_t kMask = (1u << kBits) - 1;
#pragma GCC unroll 1  // vectorize it rather than unroll it
      for (unsigned i = 0; i < Shape.m; ++i) row[i] = registers[word][lane + i] >> shift & kMask;
      if constexpr (32 % kBits != 0) {
        if (shift + kBits <= 32) return;
        const unsigned rest = 32 - shift;
#pragma GCC unroll 1
        for (unsigned i = 0; i < Shape.m; ++i) {
          row[i] |= registers[word + 1][lane + i] << rest & kMask;
        }
      }
    }
  }
};

/// Elements of C or D, [block][row][column].
template <isa::MfmaShape Shape>
struct MatrixOutput {
  using Element = std::conditional_t<Shape.is_double(), std::uint64_t, std::uint32_t>;
  alignas(64) Element at[Shape.blocks][Shape.m][Shape.m];

  void load(const Wavefront& wave, const Source& source) {
    if (source.kind == SourceKind::kConstant) {
      for (auto& block : at) {
        for (auto& row : block) std::fill_n(row, Shape.m, static_cast<Element>(source.constant));
      }
      return;
    }
    each_row([&](Element* row, unsigned lane, unsigned element) {
      if constexpr (Shape.is_double()) {
        const LaneRow* pair = wave.vgpr + source.index + 2 * element;
        for (unsigned j = 0; j < Shape.m; ++j) {
          row[j] = pair[0][lane + j] | std::uint64_t{pair[1][lane + j]} << 32;
        }
      } else {
        std::memcpy(row, &wave.vgpr[source.index + element][lane], sizeof(Element) * Shape.m);
      }
    });
  }

  void store(Wavefront& wave, const Destination& to) {
    each_row([&](const Element* row, unsigned lane, unsigned element) {
      if constexpr (Shape.is_double()) {
        LaneRow* pair = wave.vgpr + to.index + 2 * element;
        for (unsigned j = 0; j < Shape.m; ++j) {
          pair[0][lane + j] = static_cast<std::uint32_t>(row[j]);
          pair[1][lane + j] = static_cast<std::uint32_t>(row[j] >> 32);
        }
      } else {
        std::memcpy(&wave.vgpr[to.index + element][lane], row, sizeof(Element) * Shape.m);
      }
    });
  }

 private:
  template <class F>
  void each_row(F function) {
    for (unsigned block = 0; block < Shape.blocks; ++block) {
      for (unsigned i = 0; i < Shape.m; ++i) {
        const isa::LaneElement place = isa::output_place(Shape, block, i, 0);
        function(at[block][i], place.lane, place.element);
      }
    }
  }
};

}  // namespace compass::interp
