// SPDX-License-Identifier: MIT
#include "driverless/interp/level.h"
#include "driverless/interp/memory_row.h"
#include "driverless/interp/transpose_frame.h"
#include "driverless/isa/ds.h"

namespace compass::interp {
namespace {

template <template <auto, isa::Places, isa::Places> class Frame, auto Meaning, isa::Places Results,
          isa::Places Sources>
void add_in(std::vector<Row>& rows, std::string_view mnemonic, std::uint32_t targets) {
  add_effect<Frame<Meaning, Results, Sources>, Meaning, Results, Sources>(
      rows, mnemonic, isa::Encoding::kDs, targets);
  constexpr auto kFunction = Meaning.template operator()<isa::C>();
  constexpr bool kIsPlain =
      plain_lds_read_words<isa::C>(kFunction) > 0 || plain_lds_write_words<isa::C>(kFunction) > 0;
  if constexpr (kIsPlain) set_handlers<Frame<Meaning, Results, Sources>>(rows.back());
}

void append_atomics_in_lds(std::vector<Row>& rows) {
  using namespace isa::row_names;
  using isa::places;
  using enum isa::Target;
#define ATOMIC(name, returning_name, change, value, targets)                                  \
  {                                                                                           \
    constexpr auto kMeaning = []<class D>() {                                                 \
      return &isa::ds_update<D, LdsAccess<D>, isa::value<D>, &isa::change<D, isa::value<D>>>; \
    };                                                                                        \
    add_in<LdsFrame, kMeaning, places(NONE), places(S0, S1, OFFSET)>(rows, #name, targets);   \
    add_in<LdsFrame, kMeaning, places(VDST), places(S0, S1, OFFSET)>(rows, #returning_name,   \
                                                                     targets);                \
  }
#include "driverless/isa/ds_atomic.def"
#undef ATOMIC
#define CMPST(name, value, result)                                                         \
  add_in<LdsFrame,                                                                         \
         []<class D>() { return &isa::ds_compare_store<D, LdsAccess<D>, isa::value<D>>; }, \
         places(result), places(S0, S1, S2, OFFSET)>(rows, #name, GFX9);
  CMPST(ds_cmpst_b32, U32, NONE)
  CMPST(ds_cmpst_rtn_b32, U32, VDST)
  CMPST(ds_cmpst_b64, U64, NONE)
  CMPST(ds_cmpst_rtn_b64, U64, VDST)
#undef CMPST
}

template <class Frame>
void add_wave(std::vector<Row>& rows, std::string_view mnemonic, unsigned words,
              isa::Places sources, std::uint32_t targets) {
  Row row{.mnemonic = mnemonic, .encoding = isa::Encoding::kDs, .targets = targets};
  row.results = isa::places(isa::Place::kVdst);
  row.sources = sources;
  row.result_shapes[0] = {words, ValueClass::kInteger};
  row.source_shapes[0] = row.source_shapes[1] = {1, ValueClass::kInteger};
  set_handlers<Frame>(row);
  rows.push_back(row);
}

}  // namespace

void append_lds_rows(std::vector<Row>& rows) {
  using namespace isa::row_names;
  using isa::places;
  using enum isa::Target;
#define INST(meaning, encoding, results, sources, targets)                                   \
  add_in<LdsFrame, []<class D>() { return &isa::meaning<D, LdsAccess<D>>; }, places results, \
         places sources>(rows, #meaning, targets);
#include "driverless/isa/ds.def"
#undef INST
#define INST(meaning, encoding, results, sources, targets)                                         \
  add_wave<PermuteFrame<[]<class D>() { return &isa::meaning<D, LaneAccess<D>>; }, places results, \
                        places sources>>(rows, #meaning, 1, places sources, targets);
#include "driverless/isa/ds_permute.def"
#undef INST
  add_wave<PushFrame>(rows, "ds_permute_b32", 1, places(S0, OFFSET), GFX9);
#define TRANSPOSE(name, words, bits, targets) \
  add_wave<TransposeFrame<words, bits>>(rows, #name, words, places(S0, OFFSET), targets);
#include "driverless/isa/ds_transpose.def"
#undef TRANSPOSE
  append_atomics_in_lds(rows);
}

}  // namespace compass::interp
