// SPDX-License-Identifier: MIT
#include "driverless/interp/memory_row.h"

namespace compass::interp {

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
