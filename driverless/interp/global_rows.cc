// SPDX-License-Identifier: MIT
#include "driverless/interp/memory_row.h"

namespace compass::interp {

void global_addresses(const Wavefront& wave, const Op& op, const Source& source,
                      LaneAddresses& out) {
  if (op.scalar_base.kind == SourceKind::kNone) return flat_addresses(wave, op, source, out);
  const std::uint64_t base = wave.sgpr64(op.scalar_base.index) +
                             static_cast<std::uint64_t>(std::int64_t{op.offset});
  const LaneRow& low = wave.vgpr[source.index];
  for (unsigned n = 0; n < kLanes; ++n) out.lane[n] = base + low[n];
}

void append_global_rows(std::vector<Row>& rows) {
  using enum isa::Target;
  append_loads_and_stores<GlobalKind>(rows);
  append_atomics<GlobalKind>(rows);
#define LDSLOAD(name, words, targets) \
  add_lds_load<GlobalKind, words>(rows, "global_load_lds_" #name, targets);
#include "driverless/isa/lds_load.def"
#undef LDSLOAD
}

}  // namespace compass::interp
