// SPDX-License-Identifier: MIT
#include "driverless/interp/matrix_narrow.h"
#include "driverless/interp/matrix_row.h"

namespace compass::interp {

void append_narrow_matrix_rows(std::vector<Row>& rows) {
  using enum isa::Target;
#define NARROW(name, m, k, chunk, targets)                                  \
  {                                                                         \
    constexpr isa::MfmaShape kShape{m, k, 1, isa::MatrixType::kFp8, chunk}; \
    add_matrix<NarrowFrame<kShape>>(rows, #name, kShape, targets);          \
  }
#include "driverless/isa/mfma_narrow.def"
#undef NARROW
}

}  // namespace compass::interp
