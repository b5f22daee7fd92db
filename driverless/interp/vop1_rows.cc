// SPDX-License-Identifier: MIT
#include "driverless/interp/vector_row.h"
#include "driverless/isa/vop1.h"

namespace compass::interp {

void append_vop1_rows(std::vector<Row>& rows) {
  using namespace isa::row_names;
  using isa::places;
  using enum isa::Target;
#define INST(meaning, encoding, results, sources, targets) \
  INST_AS(meaning, meaning, encoding, results, sources, targets)
#define INST_AS(name, meaning, encoding, results, sources, targets)                           \
  add_vector_row<[]<class D>() { return &isa::meaning<D>; }, places results, places sources>( \
      rows, #name, encoding, targets);
#define ALIAS(name, original) add_alias(rows, #name, #original);
#include "driverless/isa/vop1.def"
#undef ALIAS
#undef INST_AS
#undef INST
}

}  // namespace compass::interp
