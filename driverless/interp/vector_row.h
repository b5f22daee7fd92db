// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>

#include "driverless/interp/vector_frame.h"

/// From a row of a table of lane operations to a Row.
namespace compass::interp {

/// Whether every value of a signature is a word or two, as in the bulk of kernels: those have code
/// for each host level, the others for the first and the last.
constexpr bool is_common(const Row& row) {
  const auto common = [](const ValueShape& shape) {
    switch (shape.value_class) {
      case ValueClass::kDouble:
      case ValueClass::kInteger16:
      case ValueClass::kHalf:
      case ValueClass::kPairOfHalves:
      case ValueClass::kPairOfInteger16:
      case ValueClass::kMixed:
        return false;
      default:
        return true;
    }
  };
  return std::all_of(std::begin(row.result_shapes), std::end(row.result_shapes), common) &&
         std::all_of(std::begin(row.source_shapes), std::end(row.source_shapes), common);
}

template <auto Meaning, isa::Places Results, isa::Places Sources>
void add_vector_row(std::vector<Row>& rows, std::string_view mnemonic, isa::Encoding encoding,
                    std::uint32_t targets) {
  using Frame = VectorFrame<Meaning, Results, Sources>;
  constexpr Row kRow = [] {
    Row row;
    describe<Signature<decltype(Meaning.template operator()<isa::C>())>, Results, Sources>(row);
    return row;
  }();
  Row row = kRow;
  row.mnemonic = mnemonic;
  row.encoding = encoding;
  row.targets = targets;
  row.handlers[0] = row.handlers[1] = run_baseline<Frame>;
  row.handlers[2] = run_avx512<Frame>;
  if constexpr (is_common(kRow)) row.handlers[1] = run_avx2<Frame>;
  rows.push_back(row);
}

/// The last row called `original` once more, under another name.
inline void add_alias(std::vector<Row>& rows, std::string_view mnemonic,
                      std::string_view original) {
  const auto found = std::find_if(rows.rbegin(), rows.rend(),
                                  [&](const Row& row) { return row.mnemonic == original; });
  Row row = *found;
  row.mnemonic = mnemonic;
  rows.push_back(row);
}

void append_vop1_rows(std::vector<Row>& rows);
void append_vop2_rows(std::vector<Row>& rows);
void append_vop3_rows(std::vector<Row>& rows);
void append_vop3p_rows(std::vector<Row>& rows);
void append_vopc_rows(std::vector<Row>& rows);
void append_saturating_rows(std::vector<Row>& rows);
void append_wave_rows(std::vector<Row>& rows);

}  // namespace compass::interp
