// SPDX-License-Identifier: MIT
#include "driverless/interp/matrix_frame.h"
#include "driverless/interp/row.h"

namespace compass::interp {
namespace {

template <isa::MfmaShape Shape>
void add(std::vector<Row>& rows, std::string_view mnemonic, std::uint32_t targets) {
  using Frame = MatrixFrame<Shape>;
  constexpr ValueShape kInput{Frame::kInputRegisters, ValueClass::kInteger};
  constexpr ValueShape kOutput{Frame::kOutputRegisters, ValueClass::kInteger};
  Row row{.mnemonic = mnemonic, .encoding = isa::Encoding::kMfma, .targets = targets};
  row.results = isa::places(isa::Place::kVdst);
  row.sources = isa::places(isa::Place::kS0, isa::Place::kS1, isa::Place::kS2);
  row.result_shapes[0] = kOutput;
  row.source_shapes[0] = row.source_shapes[1] = kInput;
  row.source_shapes[2] = kOutput;
  set_handlers<Frame>(row);
  rows.push_back(row);
}

}  // namespace

void append_matrix_rows(std::vector<Row>& rows) {
  using enum isa::Target;
  using enum isa::MatrixType;
#define MFMA(name, m, n, k, blocks, input, targets) \
  add<isa::MfmaShape{m, n, k, blocks, input}>(rows, #name, targets);
#include "driverless/isa/mfma.def"
#undef MFMA
}

}  // namespace compass::interp
