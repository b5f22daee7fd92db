// SPDX-License-Identifier: MIT
#pragma once

#include "driverless/interp/level.h"
#include "driverless/interp/row.h"
#include "driverless/isa/mfma.h"

namespace compass::interp {

template <class Frame>
void add_matrix(std::vector<Row>& rows, std::string_view mnemonic, const isa::MfmaShape& shape,
                std::uint32_t targets) {
  const ValueShape input{shape.input_registers(), ValueClass::kInteger};
  const ValueShape output{shape.output_registers(), ValueClass::kInteger};
  Row row{.mnemonic = mnemonic, .encoding = isa::Encoding::kMfma, .targets = targets};
  row.results = isa::places(isa::Place::kVdst);
  row.sources = isa::places(isa::Place::kS0, isa::Place::kS1, isa::Place::kS2);
  row.result_shapes[0] = output;
  row.source_shapes[0] = row.source_shapes[1] = input;
  row.source_shapes[2] = output;
  set_handlers<Frame>(row);
  rows.push_back(row);
}

// The rows whose products are added in groups: of f16 and xf32, of bf16, of 8 bits and fewer.
void append_f16_matrix_rows(std::vector<Row>& rows);
void append_bf16_matrix_rows(std::vector<Row>& rows);
void append_narrow_matrix_rows(std::vector<Row>& rows);

}  // namespace compass::interp
