// SPDX-License-Identifier: MIT
#include "driverless/interp/matrix_fused.h"
#include "driverless/interp/matrix_row.h"

namespace compass::interp {

void append_f16_matrix_rows(std::vector<Row>& rows) {
  using enum isa::Target;
  using enum isa::MatrixType;
#define MFMA(name, m, k, blocks, a_type, b_type, targets)         \
  {                                                               \
    static_assert(a_type == b_type);                              \
    constexpr isa::MfmaShape kShape{m, k, blocks, a_type};        \
    add_matrix<FusedFrame<kShape>>(rows, #name, kShape, targets); \
  }
#include "driverless/isa/mfma_f16.def"
#undef MFMA
}

}  // namespace compass::interp
