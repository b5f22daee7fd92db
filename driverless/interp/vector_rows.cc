// SPDX-License-Identifier: MIT
#include "driverless/interp/vector_frame.h"
#include "driverless/isa/vop1.h"
#include "driverless/isa/vop2.h"
#include "driverless/isa/vop3.h"
#include "driverless/isa/vop3p.h"
#include "driverless/isa/vopc.h"

namespace compass::interp {
namespace {

template <auto Meaning, isa::Places Results, isa::Places Sources>
void add(std::vector<Row>& rows, std::string_view mnemonic, isa::Encoding encoding,
         std::uint32_t targets) {
  Row row{.mnemonic = mnemonic, .encoding = encoding, .targets = targets};
  describe<Signature<decltype(Meaning.template operator()<isa::C>())>, Results, Sources>(row);
  set_handlers<VectorFrame<Meaning, Results, Sources>>(row);
  rows.push_back(row);
}

}  // namespace

void clamp_row(LaneRow& value) {
  for (std::uint32_t& bits : value) {
    const float number = std::bit_cast<float>(bits);
    bits = std::bit_cast<std::uint32_t>(number > 0 ? std::min(number, 1.0f) : 0.0f);
  }
}

void append_vector_rows(std::vector<Row>& rows) {
  using namespace isa::row_names;
  using isa::places;
  using enum isa::Target;
#define INST(meaning, encoding, results, sources, targets)                              \
  add<[]<class D>() { return &isa::meaning<D>; }, places results, places sources>(      \
      rows, #meaning, encoding, targets);
#include "driverless/isa/vop1.def"
#include "driverless/isa/vop2.def"
#include "driverless/isa/vop3.def"
#include "driverless/isa/vop3p.def"
#include "driverless/isa/vopc.def"
#undef INST
}

}  // namespace compass::interp
