// SPDX-License-Identifier: MIT
#include "driverless/interp/lane_address.h"

#include "driverless/interp/memory_kind.h"
#include "driverless/interp/row.h"
#include "driverless/isa/smem.h"

namespace compass::interp {
namespace {

using D = isa::C;
using isa::Encoding;

std::uint64_t scalar_load_address(const Wavefront& wave, const Op& op) {
  const Source& soffset = op.sources[1];
  const std::uint64_t offset =
      soffset.kind == SourceKind::kSgprZext ? wave.sgpr[soffset.index] : soffset.constant;
  const isa::U32<D> immediate{static_cast<std::uint32_t>(op.sources[2].constant)};
  std::uint64_t base = wave.sgpr64(op.sources[0].index);
  if (op.row->source_shapes[0].registers == 4) base &= 0xFFFF'FFFF'FFFF;  // a buffer's
  return isa::scalar_address<D>({base}, {offset}, immediate).rep;
}

std::optional<std::uint64_t> buffer_address(Wavefront& wave, const Op& op, unsigned lane) {
  BufferAccess<D> memory(wave, op);
  if (memory.is_special()) return std::nullopt;
  LaneAddresses addresses;
  buffer_addresses(wave, op, op.sources[0], addresses);
  BufferLanes reached;
  memory.reach(active_lanes(wave), addresses.lane, 1, reached);
  if ((reached.mask >> lane & 1) == 0) return std::nullopt;
  return reached.address[lane];
}

}  // namespace

std::optional<std::uint64_t> lane_address(Wavefront& wave, const Op& op, unsigned lane) {
  LaneAddresses addresses;
  switch (op.row->encoding) {
    case Encoding::kSmem:
      return scalar_load_address(wave, op);
    case Encoding::kDs:
      return wave.vgpr[op.sources[0].index][lane] +
             static_cast<std::uint32_t>(op.sources[op.row->sources.count - 1].constant);
    case Encoding::kScratch:
      scratch_addresses(wave, op, op.sources[0], addresses);
      break;
    case Encoding::kFlat:
      flat_addresses(wave, op, op.sources[0], addresses);
      break;
    case Encoding::kBuffer:
      return buffer_address(wave, op, lane);
    default:
      global_addresses(wave, op, op.sources[0], addresses);
  }
  return addresses.lane[lane];
}

}  // namespace compass::interp
