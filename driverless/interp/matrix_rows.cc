// SPDX-License-Identifier: MIT
#include "driverless/interp/matrix_chain.h"
#include "driverless/interp/matrix_row.h"

namespace compass::interp {

void append_matrix_rows(std::vector<Row>& rows) {
  using enum isa::Target;
  using enum isa::MatrixType;
#define MFMA(name, m, k, blocks, a_type, b_type, targets)         \
  {                                                               \
    static_assert(a_type == b_type);                              \
    constexpr isa::MfmaShape kShape{m, k, blocks, a_type};        \
    add_matrix<ChainFrame<kShape>>(rows, #name, kShape, targets); \
  }
#include "driverless/isa/mfma.def"
#undef MFMA
  append_f16_matrix_rows(rows);
  append_bf16_matrix_rows(rows);
  append_narrow_matrix_rows(rows);
}

}  // namespace compass::interp
