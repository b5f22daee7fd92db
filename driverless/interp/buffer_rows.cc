// SPDX-License-Identifier: MIT
#include "driverless/interp/memory_row.h"

namespace compass::interp {

void buffer_addresses(const Wavefront& wave, const Op& op, const Source& source,
                      LaneAddresses& out) {
  const bool has_index = (op.address_parts & kIndexPart) != 0;
  const bool has_offset = (op.address_parts & kOffsetPart) != 0;
  const auto offset = static_cast<std::uint32_t>(op.offset);
  const LaneRow& first = wave.vgpr[source.index];
  const LaneRow& last = wave.vgpr[source.index + (has_index && has_offset ? 1 : 0)];
  for (unsigned n = 0; n < kLanes; ++n) {
    const std::uint64_t index = has_index ? first[n] : 0;
    out.lane[n] = index << 32 | static_cast<std::uint32_t>(offset + (has_offset ? last[n] : 0));
  }
}

void append_buffer_rows(std::vector<Row>& rows) {
  using enum isa::Target;
  append_loads_and_stores<BufferKind>(rows);
  append_atomics<BufferKind>(rows);
#define LDSLOAD(name, words, targets) \
  add_lds_load<BufferKind, words>(rows, "buffer_load_" #name "_lds", targets);
#include "driverless/isa/lds_load.def"
#undef LDSLOAD
}

}  // namespace compass::interp
