// SPDX-License-Identifier: MIT
#pragma once

#include "driverless/interp/lds_frame.h"
#include "driverless/interp/level.h"
#include "driverless/interp/permute_frame.h"
#include "driverless/interp/scalar_memory_frame.h"
#include "driverless/interp/vector_memory_frame.h"
#include "driverless/isa/atomic.h"
#include "driverless/isa/vector_memory.h"

/// Rows for operations that go lane by lane. There is no vector code in them: every host level runs
/// the same handler.
namespace compass::interp {

template <class Frame, auto Meaning, isa::Places Results, isa::Places Sources>
void add_effect(std::vector<Row>& rows, std::string_view mnemonic, isa::Encoding encoding,
                std::uint32_t targets) {
  Row row{.mnemonic = mnemonic, .encoding = encoding, .targets = targets};
  describe<EffectSignature<decltype(Meaning.template operator()<isa::C>())>, Results, Sources>(row);
  set_one_handler<Frame>(row);
  rows.push_back(row);
}

template <class Kind, auto Meaning, isa::Places Results, isa::Places Sources>
void add_vector_memory(std::vector<Row>& rows, std::initializer_list<std::string_view> names,
                       std::uint32_t targets) {
  using Frame = VectorMemoryFrame<Kind, Meaning, Results, Sources>;
  constexpr auto kBound = []<class D>() {
    return Meaning.template operator()<D, typename Kind::template Effect<D>>();
  };
  add_effect<Frame, kBound, Results, Sources>(rows, names.begin()[Kind::kPrefix], Kind::kEncoding,
                                              targets);
  constexpr AccessSize<isa::C> kSize = access_size<Meaning, isa::C>();
  constexpr bool kIsPlain = kSize.load_bytes + kSize.store_bytes > 0;
  if constexpr (Kind::kHasWholeWave && kIsPlain) set_handlers<Frame>(rows.back());
}

/// The loads and stores of one encoding of vector memory.
template <class Kind>
void append_loads_and_stores(std::vector<Row>& rows) {
  using namespace isa::row_names;
  using isa::places;
  using enum isa::Target;
#define INST(meaning, results, sources, targets)                                             \
  add_vector_memory<Kind, []<class D, class Memory>() { return &isa::meaning<D, Memory>; },  \
                    places results, places sources>(                                         \
      rows, {"global_" #meaning, "flat_" #meaning, "scratch_" #meaning, "buffer_" #meaning}, \
      targets);
#include "driverless/isa/vector_memory.def"
#undef INST
}

/// Its atomics.
template <class Kind>
void append_atomics(std::vector<Row>& rows) {
  using namespace isa::row_names;
  using isa::places;
  using enum isa::Target;
#define ATOMIC(name, change, value, targets)                                            \
  add_vector_memory<Kind,                                                               \
                    []<class D, class Memory>() {                                       \
                      return &isa::atomic_update<D, Memory, isa::U64<D>, isa::value<D>, \
                                                 &isa::change<D, isa::value<D>>>;       \
                    },                                                                  \
                    places(RETURNED), places(ADDR, S0)>(                                \
      rows, {"global_" #name, "flat_" #name, "", "buffer_" #name}, targets);
#include "driverless/isa/vector_atomic.def"
#undef ATOMIC
#define CMPSWAP(meaning)                                                                    \
  add_vector_memory<Kind, []<class D, class Memory>() { return &isa::meaning<D, Memory>; }, \
                    places(RETURNED), places(ADDR, S0)>(                                    \
      rows, {"global_" #meaning, "flat_" #meaning, "", "buffer_" #meaning}, GFX9);
  CMPSWAP(atomic_cmpswap)
  CMPSWAP(atomic_cmpswap_x2)
#undef CMPSWAP
}

template <class Kind, unsigned N>
void add_lds_load(std::vector<Row>& rows, std::string_view mnemonic, std::uint32_t targets) {
  Row row{.mnemonic = mnemonic, .encoding = Kind::kEncoding, .targets = targets};
  row.sources = isa::places(isa::Place::kAddr);
  row.source_shapes[0] = {2, ValueClass::kInteger};
  set_one_handler<LdsLoadFrame<Kind, N>>(row);
  rows.push_back(row);
}

// The rows of each encoding.
void append_global_rows(std::vector<Row>& rows);
void append_flat_rows(std::vector<Row>& rows);
void append_scratch_rows(std::vector<Row>& rows);
void append_buffer_rows(std::vector<Row>& rows);
void append_lds_rows(std::vector<Row>& rows);

}  // namespace compass::interp
