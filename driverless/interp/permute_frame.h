// SPDX-License-Identifier: MIT
#pragma once

#include "driverless/interp/access.h"
#include "driverless/interp/effect_frame.h"
#include "driverless/interp/level.h"
#include "driverless/isa/ds_permute.h"

/// DS permutes: other lanes' data, no memory.
namespace compass::interp {

/// Writes `values` to the result's register in the lanes that are on.
inline void write_active(Wavefront& wave, const Op& op, const LaneRow& values) {
  const LaneRow& exec = wave.exec_row();
  LaneRow& to = wave.vgpr[op.results[0].index];
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    to[lane] = (values[lane] & exec[lane]) | (to[lane] & ~exec[lane]);
  }
}

/// Pulling permutes: the data register is the operand behind the sources.
template <auto Meaning, isa::Places Results, isa::Places Sources>
struct PermuteFrame {
  template <isa::HostLevel Level>
  static void run(Wavefront& wave, const Op& op) {
    using D = isa::Concrete<Level>;
    constexpr auto kFunction = Meaning.template operator()<D>();
    SourceRows<isa::U32<D>> data, address;
    data.fetch(wave, op.sources[Sources.count]);
    if constexpr (Sources.at[0] != isa::Place::kLane) address.fetch(wave, op.sources[0]);
    const isa::U32<D> offset{static_cast<std::uint32_t>(op.sources[1].constant)};
    LaneAccess<D> lanes(wave, data.row[0]);
    alignas(64) LaneRow values;
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      isa::U32<D> first{lane};
      if constexpr (Sources.at[0] != isa::Place::kLane) first = address.read(lane);
      values[lane] = kFunction(lanes, first, offset).rep;
    }
    write_active(wave, op, values);
  }
};

/// DS_PERMUTE_B32, the one that pushes.
struct PushFrame {
  template <isa::HostLevel Level>
  static void run(Wavefront& wave, const Op& op) {
    using D = isa::Concrete<Level>;
    SourceRows<isa::U32<D>> data, address;
    address.fetch(wave, op.sources[0]);
    data.fetch(wave, op.sources[2]);
    const isa::U32<D> offset{static_cast<std::uint32_t>(op.sources[1].constant)};
    alignas(64) LaneRow values{};
    for (std::uint64_t rest = wave.exec(); rest != 0; rest &= rest - 1) {
      const auto lane = static_cast<unsigned>(std::countr_zero(rest));
      values[isa::ds_permute_b32(address.read(lane), offset).rep] = data.row[0][lane];
    }
    write_active(wave, op, values);
  }
};

}  // namespace compass::interp
