// SPDX-License-Identifier: MIT
#pragma once

#include "driverless/interp/op.h"
#include "driverless/interp/value_rows.h"

/// Reading sources as rows of 64 lanes.
namespace compass::interp {

/// The slow forms of a source: anything but a plain VGPR or a plain constant. `out` are `count`
/// rows to fill; bits (lane masks) become 0 or 1 in each lane.
void materialize(const Wavefront& wave, const Source& source, ValueClass value_class,
                 unsigned count, LaneRow* out);

/// EXEC less the lanes that the DPP instruction leaves out, as a row.
void fill_dpp_exec(const Wavefront& wave, const Dpp& dpp, LaneRow& out);

/// Pointers to the rows of a source of type V. `scratch` holds what had to be made.
template <class V>
struct SourceRows {
  static constexpr unsigned kCount = ValueRows<V>::kCount;
  const std::uint32_t* row[kCount == 0 ? 1 : kCount]{};
  alignas(64) LaneRow scratch[kCount == 0 ? 1 : kCount];

  SourceRows() {}  // leaves the rows as they are: a frame's tuple must not zero them

  void fetch(const Wavefront& wave, const Source& source) {
    if constexpr (kCount > 0) {
      const bool plain = !source.is_modified && ValueRows<V>::kClass != ValueClass::kBit;
      if (plain && source.kind == SourceKind::kVgpr) {
        for (unsigned n = 0; n < kCount; ++n) row[n] = wave.vgpr[source.index + n];
      } else if (plain && source.kind == SourceKind::kConstant && kCount <= 2) {
        for (unsigned n = 0; n < kCount; ++n) row[n] = source.rows[n];
      } else {
        materialize(wave, source, ValueRows<V>::kClass, kCount, scratch);
        for (unsigned n = 0; n < kCount; ++n) row[n] = scratch[n];
      }
    }
  }
  V read(unsigned lane) const { return ValueRows<V>::read(row, lane); }
};

}  // namespace compass::interp
