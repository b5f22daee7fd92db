// SPDX-License-Identifier: MIT
#pragma once

#include "driverless/interp/effect_frame.h"
#include "driverless/isa/ds_transpose.h"

namespace compass::interp {

/// LDS reads that turn blocks of 16 lanes: `Words` a lane, in elements of `Bits` bits. Stops where
/// only some lanes of a block are on, for no document says what they get.
template <unsigned Words, unsigned Bits>
struct TransposeFrame {
  static constexpr unsigned kElements = Words * 32 / Bits;  // a lane
  static_assert(kElements * isa::kTransposeLanes % kElements == 0);

  static std::uint32_t element(const std::uint32_t* words, unsigned n) {
    const unsigned first = n * Bits, word = first / 32;
    const std::uint64_t pair = words[word] | std::uint64_t{word + 1 < Words ? words[word + 1] : 0}
                                                 << 32;
    return static_cast<std::uint32_t>(pair >> first % 32) & ((1u << Bits) - 1);
  }

  static void turn(const std::uint32_t (&read)[kLanes][Words], Wavefront& wave, const Op& op,
                   unsigned lane) {
    const unsigned block = lane - lane % isa::kTransposeLanes;
    std::uint64_t bits[2] = {0, 0};
    for (unsigned n = 0; n < kElements; ++n) {
      const isa::TransposePlace from =
          isa::transpose_place(lane % isa::kTransposeLanes, n, kElements);
      const std::uint64_t value = element(read[block + from.lane], from.element);
      const unsigned at = n * Bits;
      bits[at / 64] |= value << at % 64;
      if (at % 64 + Bits > 64) bits[1] |= value >> (64 - at % 64);
    }
    for (unsigned n = 0; n < Words; ++n) {
      wave.vgpr[op.results[0].index + n][lane] =
          static_cast<std::uint32_t>(bits[n / 2] >> 32 * (n % 2));
    }
  }

  template <isa::HostLevel Level>
  static void run(Wavefront& wave, const Op& op) {
    using D = isa::Concrete<Level>;
    std::uint32_t read[kLanes][Words];
    const std::uint64_t exec = wave.exec();
    for (unsigned block = 0; block < kLanes; block += isa::kTransposeLanes) {
      const std::uint64_t on = exec >> block & 0xFFFF;
      if (on == 0 || on == 0xFFFF) continue;
      wave.status = WaveStatus::kStopped;
      return;
    }
    LdsAccess<D> lds(wave, op);
    const LaneRow& address = wave.vgpr[op.sources[0].index];
    const auto offset = static_cast<std::uint32_t>(op.sources[1].constant);
    for (std::uint64_t rest = exec; rest != 0; rest &= rest - 1) {
      const auto lane = static_cast<unsigned>(std::countr_zero(rest));
      lds.lane = lane;
      const isa::Words<D, Words> words = lds.template load<Words>({address[lane] + offset});
      std::memcpy(read[lane], &words, sizeof words);
    }
    for (std::uint64_t rest = exec; rest != 0; rest &= rest - 1) {
      turn(read, wave, op, static_cast<unsigned>(std::countr_zero(rest)));
    }
  }
};

}  // namespace compass::interp
