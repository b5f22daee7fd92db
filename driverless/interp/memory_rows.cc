// SPDX-License-Identifier: MIT
#include "driverless/interp/memory_frame.h"
#include "driverless/isa/ds.h"
#include "driverless/isa/global.h"
#include "driverless/isa/smem.h"

namespace compass::interp {
namespace {

// Lane by lane there is no vector code: every host level runs the same handler.
template <class Frame, auto Meaning, isa::Places Results, isa::Places Sources>
void add(std::vector<Row>& rows, std::string_view mnemonic, isa::Encoding encoding,
         std::uint32_t targets) {
  Row row{.mnemonic = mnemonic, .encoding = encoding, .targets = targets};
  describe<EffectSignature<decltype(Meaning.template operator()<isa::C>())>, Results, Sources>(row);
  for (Handler& handler : row.handlers) handler = Frame::template run<isa::HostLevel::kBaseline>;
  rows.push_back(row);
}

template <template <auto, isa::Places, isa::Places> class Frame, auto Meaning, isa::Places Results,
          isa::Places Sources>
void add_in(std::vector<Row>& rows, std::string_view mnemonic, isa::Encoding encoding,
            std::uint32_t targets) {
  add<Frame<Meaning, Results, Sources>, Meaning, Results, Sources>(rows, mnemonic, encoding,
                                                                   targets);
}

}  // namespace

GlobalAddresses::GlobalAddresses(const Wavefront& wave, const Op& op, const Source& source) {
  const auto offset = static_cast<std::uint64_t>(std::int64_t{op.offset});
  if (op.scalar_base.kind == SourceKind::kNone) {
    const LaneRow& low = wave.vgpr[source.index];
    const LaneRow& high = wave.vgpr[source.index + 1];
    for (unsigned n = 0; n < kLanes; ++n) {
      lane[n] = (low[n] | std::uint64_t{high[n]} << 32) + offset;
    }
  } else {
    const std::uint64_t base = wave.sgpr64(op.scalar_base.index) + offset;
    const LaneRow& low = wave.vgpr[source.index];
    for (unsigned n = 0; n < kLanes; ++n) lane[n] = base + low[n];
  }
}

void append_memory_rows(std::vector<Row>& rows) {
  using namespace isa::row_names;
  using isa::places;
  using enum isa::Target;
#define INST(meaning, encoding, results, sources, targets)                                   \
  add_in<GlobalFrame, []<class D>() { return &isa::meaning<D, GlobalAccess<D>>; },           \
         places results, places sources>(rows, #meaning, encoding, targets);
#include "driverless/isa/global.def"
#undef INST
#define INST(meaning, encoding, results, sources, targets)                                   \
  add_in<ScalarMemoryFrame, []<class D>() { return &isa::meaning<D, GlobalAccess<D>>; },     \
         places results, places sources>(rows, #meaning, encoding, targets);
#include "driverless/isa/smem.def"
#undef INST
#define INST(meaning, encoding, results, sources, targets)                                   \
  add_in<LdsFrame, []<class D>() { return &isa::meaning<D, LdsAccess<D>>; },                 \
         places results, places sources>(rows, #meaning, encoding, targets);
#include "driverless/isa/ds.def"
#undef INST
#define INST(meaning, encoding, results, sources, targets)                                   \
  add_in<PermuteFrame, []<class D>() { return &isa::meaning<D, LaneAccess<D>>; },            \
         places results, places sources>(rows, #meaning, encoding, targets);
#include "driverless/isa/ds_permute.def"
#undef INST
}

}  // namespace compass::interp
