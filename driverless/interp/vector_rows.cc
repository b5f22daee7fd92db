// SPDX-License-Identifier: MIT
#include "driverless/interp/vector_row.h"

namespace compass::interp {

void append_vector_rows(std::vector<Row>& rows) {
  append_vop1_rows(rows);
  append_vop2_rows(rows);
  append_vop3_rows(rows);
  append_vop3p_rows(rows);
  append_vopc_rows(rows);
  append_saturating_rows(rows);
  append_wave_rows(rows);
}

}  // namespace compass::interp
