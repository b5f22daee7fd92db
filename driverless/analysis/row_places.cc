// SPDX-License-Identifier: MIT
#include "driverless/analysis/row_places.h"

#include <unordered_map>

namespace compass::analysis {
namespace {

using Table = std::unordered_map<std::string_view, RowPlaces>;

Table make_table() {
  using namespace isa::row_names;
  using isa::places;
  Table table;
#define INST_AS(name, meaning, encoding, results, sources, targets) \
  table[#name] = {places results, places sources};
#define INST(name, encoding, results, sources, targets) \
  INST_AS(name, name, encoding, results, sources, targets)
#define ALIAS(name, original) table[#name] = table.at(#original);
#include "driverless/isa/saturating.def"
#include "driverless/isa/sop1.def"
#include "driverless/isa/sop2.def"
#include "driverless/isa/sopc.def"
#include "driverless/isa/sopk.def"
#include "driverless/isa/sopp.def"
#include "driverless/isa/sopp_effects.def"
#include "driverless/isa/vop1.def"
#include "driverless/isa/vop2.def"
#include "driverless/isa/vop3.def"
#include "driverless/isa/vop3_bytes.def"
#include "driverless/isa/vop3p.def"
#include "driverless/isa/vop_wave.def"
#include "driverless/isa/vopc.def"
#undef ALIAS
#undef INST
#undef INST_AS
  return table;
}

}  // namespace

const RowPlaces* find_row_places(std::string_view mnemonic) {
  static const Table table = make_table();
  const auto found = table.find(mnemonic);
  return found == table.end() ? nullptr : &found->second;
}

}  // namespace compass::analysis
