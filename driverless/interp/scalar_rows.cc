// SPDX-License-Identifier: MIT
#include <algorithm>

#include "driverless/interp/level.h"
#include "driverless/interp/scalar_frame.h"
#include "driverless/isa/sop1.h"
#include "driverless/isa/sop2.h"
#include "driverless/isa/sopc.h"
#include "driverless/isa/sopk.h"
#include "driverless/isa/sopp.h"

namespace compass::interp {
namespace {

template <auto Meaning, isa::Places Results, isa::Places Sources>
void add(std::vector<Row>& rows, std::string_view mnemonic, isa::Encoding encoding,
         std::uint32_t targets) {
  Row row{.mnemonic = mnemonic, .encoding = encoding, .targets = targets};
  describe<Signature<decltype(Meaning.template operator()<isa::C>())>, Results, Sources>(row);
  set_one_handler<ScalarFrame<Meaning, Results, Sources>>(row);
  rows.push_back(row);
}

void add_alias(std::vector<Row>& rows, std::string_view mnemonic, std::string_view original) {
  const auto found = std::find_if(rows.rbegin(), rows.rend(),
                                  [&](const Row& row) { return row.mnemonic == original; });
  Row row = *found;
  row.mnemonic = mnemonic;
  rows.push_back(row);
}

template <auto Meaning>
void add_progress(std::vector<Row>& rows, std::string_view mnemonic, isa::Encoding encoding,
                  std::uint32_t targets) {
  Row row{.mnemonic = mnemonic, .encoding = encoding, .targets = targets};
  set_one_handler<ProgressFrame<Meaning>>(row);
  rows.push_back(row);
}

}  // namespace

void append_scalar_rows(std::vector<Row>& rows) {
  using namespace isa::row_names;
  using isa::places;
  using enum isa::Target;
#define INST(meaning, encoding, results, sources, targets)                         \
  add<[]<class D>() { return &isa::meaning<D>; }, places results, places sources>( \
      rows, #meaning, encoding, targets);
#define ALIAS(name, original) add_alias(rows, #name, #original);
#include "driverless/isa/sop1.def"
#include "driverless/isa/sop2.def"
#include "driverless/isa/sopc.def"
#include "driverless/isa/sopk.def"
#include "driverless/isa/sopp.def"
#undef ALIAS
#undef INST
#define INST(meaning, encoding, results, sources, targets)                                      \
  add_progress<[]<class D>() { return &isa::meaning<D, Wavefront>; }>(rows, #meaning, encoding, \
                                                                      targets);
#include "driverless/isa/sopp_effects.def"
#undef INST
}

}  // namespace compass::interp
