// SPDX-License-Identifier: MIT
#include "driverless/interp/fetch.h"

#include <algorithm>

namespace compass::interp {
namespace {

void broadcast(std::uint32_t value, LaneRow& out) { std::fill(out, out + kLanes, value); }

void fill_from_scalar(const Wavefront& wave, const Source& source, unsigned count, LaneRow* out) {
  for (unsigned n = 0; n < count; ++n) {
    std::uint32_t value = 0;
    switch (source.kind) {
      case SourceKind::kSgpr: value = wave.sgpr[source.index + n]; break;
      case SourceKind::kScc: value = wave.scc ? 1 : 0; break;
      case SourceKind::kConstant:
        value = n < 2 ? static_cast<std::uint32_t>(source.constant >> (32 * n)) : 0;
        break;
      default: break;
    }
    broadcast(value, out[n]);
  }
}

void expand_mask(std::uint64_t mask, LaneRow& out) {
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    out[lane] = static_cast<std::uint32_t>(mask >> lane & 1);
  }
}

void modify(const Source& source, unsigned count, LaneRow* rows) {
  if (count == 2 && (source.first_is_high || source.second_is_low)) {
    LaneRow low, high;
    std::copy_n(rows[source.first_is_high ? 1 : 0], kLanes, low);
    std::copy_n(rows[source.second_is_low ? 0 : 1], kLanes, high);
    std::copy_n(low, kLanes, rows[0]);
    std::copy_n(high, kLanes, rows[1]);
  }
  for (unsigned n = 0; n < count; ++n) {
    const std::uint32_t keep = source.absolute >> n & 1 ? 0x7FFF'FFFFu : ~0u;
    const std::uint32_t flip = source.negated >> n & 1 ? 0x8000'0000u : 0u;
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
  if (source.kind == SourceKind::kVgpr) {
    for (unsigned n = 0; n < count; ++n) std::copy_n(wave.vgpr[source.index + n], kLanes, out[n]);
  } else {
    fill_from_scalar(wave, source, count, out);
  }
  if (source.is_modified) modify(source, count, out);
}

}  // namespace compass::interp
