// SPDX-License-Identifier: MIT
#include "driverless/interp/results.h"

#include "driverless/interp/float_mode.h"

namespace compass::interp {
namespace {

using isa::C;

std::uint32_t clamped_pair(const isa::Mode& mode, std::uint32_t word) {
  const std::uint32_t low = clamp(mode, isa::F16<C>{word & 0xFFFF}).rep;
  return low | clamp(mode, isa::F16<C>{word >> 16}).rep << 16;
}

void clamp_rows(const isa::Mode& mode, ValueClass value_class, unsigned count, LaneRow* rows) {
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    if (value_class == ValueClass::kDouble) {
      const std::uint64_t bits = rows[0][lane] | std::uint64_t{rows[1][lane]} << 32;
      const std::uint64_t inside = clamp(mode, isa::F64<C>{bits}).rep;
      rows[0][lane] = static_cast<std::uint32_t>(inside);
      rows[1][lane] = static_cast<std::uint32_t>(inside >> 32);
      continue;
    }
    for (unsigned n = 0; n < count; ++n) {
      std::uint32_t& word = rows[n][lane];
      switch (value_class) {
        case ValueClass::kHalf:
          word = clamp(mode, isa::F16<C>{word}).rep;
          break;
        case ValueClass::kPairOfHalves:
          word = clamped_pair(mode, word);
          break;
        default:
          word = clamp(mode, isa::F32<C>{word}).rep;
          break;
      }
    }
  }
}

}  // namespace

void finish_rows(Wavefront& wave, const Op& op, const Destination& to, const LaneRow& exec,
                 ValueClass value_class, unsigned count, LaneRow* rows) {
  if (op.clamp) clamp_rows(decode_mode(wave.mode), value_class, count, rows);
  for (unsigned n = 0; n < count; ++n) {
    LaneRow& into = wave.vgpr[to.index + n];
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      const isa::U32<C> made = isa::insert_part(isa::U32<C>{rows[n][lane]}, isa::U32<C>{into[lane]},
                                                op.result_part, op.result_rest);
      if (exec[lane] != 0) into[lane] = made.rep;
    }
  }
}

}  // namespace compass::interp
