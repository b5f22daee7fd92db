// SPDX-License-Identifier: MIT
#include "driverless/interp/memory_row.h"

namespace compass::interp {

void scratch_addresses(const Wavefront& wave, const Op& op, const Source& source,
                       LaneAddresses& out) {
  const std::uint32_t base =
      static_cast<std::uint32_t>(op.offset) +
      (op.scalar_base.kind == SourceKind::kSgpr ? wave.sgpr[op.scalar_base.index] : 0);
  const bool has_vector = (op.address_parts & kVectorPart) != 0;
  for (unsigned n = 0; n < kLanes; ++n) {
    out.lane[n] = base + (has_vector ? wave.vgpr[source.index][n] : 0);
  }
}

void append_flat_rows(std::vector<Row>& rows) {
  append_loads_and_stores<FlatKind>(rows);
  append_atomics<FlatKind>(rows);
}

void append_scratch_rows(std::vector<Row>& rows) { append_loads_and_stores<ScratchKind>(rows); }

}  // namespace compass::interp
