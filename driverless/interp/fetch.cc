// SPDX-License-Identifier: MIT
#include "driverless/interp/fetch.h"

#include <algorithm>

namespace compass::interp {
namespace {

using isa::C;

void broadcast(std::uint32_t value, LaneRow& out) { std::fill(out, out + kLanes, value); }

void fill_from_scalar(const Wavefront& wave, const Source& source, unsigned count, LaneRow* out) {
  for (unsigned n = 0; n < count; ++n) {
    std::uint32_t value = 0;
    switch (source.kind) {
      case SourceKind::kSgpr:
        value = wave.sgpr[source.index + n];
        break;
      case SourceKind::kScc:
        value = wave.scc ? 1 : 0;
        break;
      case SourceKind::kConstant:
        value = n < 2 ? static_cast<std::uint32_t>(source.constant >> (32 * n)) : 0;
        break;
      default:
        break;
    }
    broadcast(value, out[n]);
  }
}

void expand_mask(std::uint64_t mask, LaneRow& out) {
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    out[lane] = static_cast<std::uint32_t>(mask >> lane & 1);
  }
}

bool has_source(const Wavefront& wave, const std::uint8_t* lanes, unsigned lane) {
  return lanes[lane] != isa::kNoLane && (wave.exec() >> lanes[lane] & 1) != 0;
}

void move_lanes(const Wavefront& wave, const std::uint8_t* lanes, LaneRow& row) {
  LaneRow from;
  std::copy_n(row, kLanes, from);
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    row[lane] = has_source(wave, lanes, lane) ? from[lanes[lane]] : 0;
  }
}

void take_part(const Source& source, LaneRow& row) {
  for (std::uint32_t& word : row) {
    const isa::U32<C> value{word};
    word = (source.sign_extends ? extract_signed_part(value, source.part)
                                : extract_part(value, source.part))
               .rep;
    if (source.is_widened) word = isa::f16_to_f32(isa::F16<C>{word}).rep;
  }
}

// The halves of one register, or two registers.
void choose_halves(const Source& source, unsigned count, LaneRow* rows) {
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    if (count == 1) {
      const std::uint32_t word = rows[0][lane];
      const std::uint32_t low = source.first_is_high ? word >> 16 : word & 0xFFFF;
      const std::uint32_t high = source.second_is_low ? word & 0xFFFF : word >> 16;
      rows[0][lane] = low | high << 16;
    } else {
      const std::uint32_t first = rows[0][lane], second = rows[1][lane];
      rows[0][lane] = source.first_is_high ? second : first;
      rows[1][lane] = source.second_is_low ? first : second;
    }
  }
}

void modify(const Wavefront& wave, const Source& source, unsigned count, LaneRow* rows) {
  if (source.lanes != nullptr) {
    for (unsigned n = 0; n < count; ++n) move_lanes(wave, source.lanes, rows[n]);
  }
  if (source.part != isa::Part::kDword) take_part(source, rows[0]);
  if (source.first_is_high || source.second_is_low) choose_halves(source, count, rows);
  for (unsigned n = 0; n < std::min(count, 2u); ++n) {
    const std::uint32_t keep = source.keep[n], flip = source.flip[n];
    for (unsigned lane = 0; lane < kLanes; ++lane) rows[n][lane] = (rows[n][lane] & keep) ^ flip;
  }
}

}  // namespace

void materialize(const Wavefront& wave, const Source& source, ValueClass value_class,
                 unsigned count, LaneRow* out) {
  if (value_class == ValueClass::kBit) {
    expand_mask(source.kind == SourceKind::kConstant ? source.constant : wave.sgpr64(source.index),
                out[0]);
    return;
  }
  if (source.kind == SourceKind::kNone) {  // the lane's own number
    for (unsigned lane = 0; lane < kLanes; ++lane) out[0][lane] = lane;
    return;
  }
  if (source.kind == SourceKind::kVgpr) {
    for (unsigned n = 0; n < count; ++n) std::copy_n(wave.vgpr[source.index + n], kLanes, out[n]);
  } else {
    fill_from_scalar(wave, source, count, out);
  }
  if (source.is_modified) modify(wave, source, count, out);
}

void fill_dpp_exec(const Wavefront& wave, const Dpp& dpp, LaneRow& out) {
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    const bool chosen = (dpp.row_mask >> lane / 16 & dpp.bank_mask >> lane / 4 % 4 & 1) != 0;
    const bool writes = dpp.writes_without_source || has_source(wave, dpp.lanes, lane);
    const bool active = (wave.exec() >> lane & 1) != 0;
    out[lane] = chosen && writes && active ? ~0u : 0;
  }
}

}  // namespace compass::interp
