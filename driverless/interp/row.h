// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>
#include <vector>

#include "driverless/interp/op.h"
#include "driverless/interp/value_rows.h"
#include "driverless/isa/concrete.h"
#include "driverless/isa/row.h"

namespace compass::interp {

/// What a value of a row's signature takes.
struct ValueShape {
  unsigned registers = 0;
  ValueClass value_class = ValueClass::kVoid;
};

/// How taint goes from sources to results.
enum class RowKind : std::uint8_t { kScalar, kVector, kMatrix, kPermute, kMemory };

/// A row of the instruction tables with its handlers: what binding an instruction needs.
struct Row {
  std::string_view mnemonic;
  isa::Encoding encoding{};
  isa::Places results, sources;
  ValueShape result_shapes[3], source_shapes[6];
  std::uint32_t targets = 0;
  Handler handlers[3]{};  ///< by isa::HostLevel
  // For taint; set for every row by its encoding and name.
  RowKind kind = RowKind::kVector;
  bool is_bitwise = false;     ///< a scalar operation in which each bit depends on the same bits
  bool is_select = false;      ///< D = mask ? S1 : S0
  bool crosses_lanes = false;  ///< a lane's result depends on other lanes

  /// Of Op::results; a matrix instruction has one, which `results` does not say.
  unsigned result_count() const { return kind == RowKind::kMatrix ? 1 : results.count; }
};

/// The row called `mnemonic` for `target`, or null.
const Row* find_row(std::string_view mnemonic, isa::Target target);

/// The best level that this host has.
isa::HostLevel host_level();

// The rows of each group of tables.
void append_scalar_rows(std::vector<Row>& rows);
void append_vector_rows(std::vector<Row>& rows);
void append_memory_rows(std::vector<Row>& rows);
void append_matrix_rows(std::vector<Row>& rows);

}  // namespace compass::interp
