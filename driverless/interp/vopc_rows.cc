// SPDX-License-Identifier: MIT
#include <deque>
#include <string>

#include "driverless/interp/vector_row.h"
#include "driverless/isa/vopc.h"

namespace compass::interp {
namespace {

/// V_CMPX_* is V_CMP_* whose result becomes EXEC too.
void add_exec_forms(std::vector<Row>& rows, std::size_t first) {
  static std::deque<std::string> names;
  const std::size_t end = rows.size();
  for (std::size_t n = first; n < end; ++n) {
    Row row = rows[n];
    const std::string_view rest = row.mnemonic.substr(std::string_view("v_cmp_").size());
    row.mnemonic = names.emplace_back("v_cmpx_").append(rest);
    row.results = isa::places(isa::Place::kVcc, isa::Place::kExec);
    rows.push_back(row);
  }
}

}  // namespace

void append_vopc_rows(std::vector<Row>& rows) {
  const std::size_t first = rows.size();
  using namespace isa::row_names;
  using isa::places;
  using enum isa::Target;
#define INST(meaning, encoding, results, sources, targets) \
  INST_AS(meaning, meaning, encoding, results, sources, targets)
#define INST_AS(name, meaning, encoding, results, sources, targets)                           \
  add_vector_row<[]<class D>() { return &isa::meaning<D>; }, places results, places sources>( \
      rows, #name, encoding, targets);
#define ALIAS(name, original) add_alias(rows, #name, #original);
#include "driverless/isa/vopc.def"
#undef ALIAS
#undef INST_AS
#undef INST
  add_exec_forms(rows, first);
}

}  // namespace compass::interp
