// SPDX-License-Identifier: MIT
#include "driverless/interp/level.h"
#include "driverless/interp/vector_row.h"
#include "driverless/interp/wave_frame.h"
#include "driverless/isa/vop_wave.h"

namespace compass::interp {
namespace {

constexpr isa::Places without_first(const isa::Places& places) {
  isa::Places rest{.at = {}, .count = places.count - 1};
  for (unsigned n = 0; n < rest.count; ++n) rest.at[n] = places.at[n + 1];
  return rest;
}

template <auto Meaning, isa::Places Results, isa::Places Sources>
void add(std::vector<Row>& rows, std::string_view mnemonic, isa::Encoding encoding,
         std::uint32_t targets) {
  Row row{.mnemonic = mnemonic, .encoding = encoding, .targets = targets};
  using S = EffectSignature<decltype(Meaning.template operator()<isa::C>())>;
  describe<S, Results, without_first(Sources)>(row);
  row.sources = Sources;
  std::copy_backward(row.source_shapes, row.source_shapes + Sources.count - 1,
                     row.source_shapes + Sources.count);
  row.source_shapes[0] = {1, ValueClass::kInteger};
  set_one_handler<WaveFrame<Meaning, Results, Sources>>(row);
  rows.push_back(row);
}

template <unsigned GroupLanes>
void add_swap(std::vector<Row>& rows, std::string_view mnemonic) {
  Row row{.mnemonic = mnemonic, .encoding = isa::Encoding::kVop1, .targets = isa::GFX950};
  row.results = isa::places(isa::Place::kVdst, isa::Place::kS0);
  row.sources = isa::places(isa::Place::kVdst, isa::Place::kS0);
  for (unsigned n = 0; n < 2; ++n) {
    row.result_shapes[n] = row.source_shapes[n] = {1, ValueClass::kInteger};
  }
  set_one_handler<PermlaneSwapFrame<GroupLanes>>(row);
  rows.push_back(row);
}

}  // namespace

void append_wave_rows(std::vector<Row>& rows) {
  using namespace isa::row_names;
  using isa::places;
  using enum isa::Target;
#define INST(meaning, encoding, results, sources, targets)                          \
  add<[]<class D>() { return &isa::meaning<D, RegisterLanes<D>>; }, places results, \
      places sources>(rows, #meaning, encoding, targets);
#include "driverless/isa/vop_wave.def"
#undef INST
  add_swap<16>(rows, "v_permlane16_swap_b32");
  add_swap<32>(rows, "v_permlane32_swap_b32");
}

}  // namespace compass::interp
