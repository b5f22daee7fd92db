// SPDX-License-Identifier: MIT
#include "driverless/interp/row.h"

#include <algorithm>
#include <initializer_list>
#include <unordered_map>

#include "driverless/interp/rows_by_name.h"

namespace compass::interp {
namespace {

bool starts_with_any(std::string_view text, std::initializer_list<std::string_view> prefixes) {
  return std::any_of(prefixes.begin(), prefixes.end(),
                     [&](std::string_view prefix) { return text.starts_with(prefix); });
}

bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

RowKind kind_of(const Row& row) {
  switch (row.encoding) {
    case isa::Encoding::kSop1:
    case isa::Encoding::kSop2:
    case isa::Encoding::kSopc:
    case isa::Encoding::kSopk:
    case isa::Encoding::kSopp:
    case isa::Encoding::kSmem:
      return RowKind::kScalar;
    case isa::Encoding::kVop1:
    case isa::Encoding::kVop2:
    case isa::Encoding::kVop3:
    case isa::Encoding::kVop3p:
    case isa::Encoding::kVopc:
      return RowKind::kVector;
    case isa::Encoding::kMfma:
      return RowKind::kMatrix;
    default:
      break;
  }
  const bool permutes = contains(row.mnemonic, "permute") || contains(row.mnemonic, "swizzle");
  return permutes ? RowKind::kPermute : RowKind::kMemory;
}

void describe_taint(Row& row) {
  row.kind = kind_of(row);
  row.is_bitwise = starts_with_any(row.mnemonic, {"s_mov_b", "s_not_b", "s_and_", "s_or_", "s_xor_",
                                                  "s_andn", "s_orn", "s_nand", "s_nor_", "s_xnor"});
  row.is_select = row.mnemonic == "v_cndmask_b32";
  row.crosses_lanes = starts_with_any(
      row.mnemonic, {"v_readlane", "v_readfirstlane", "v_writelane", "v_permlane", "v_swap"});
}

using RowsByMnemonic = std::unordered_multimap<std::string_view, Row>;

RowsByMnemonic make_rows() {
  std::vector<Row> rows;
  append_scalar_rows(rows);
  append_vector_rows(rows);
  append_memory_rows(rows);
  append_matrix_rows(rows);
  RowsByMnemonic by_mnemonic;
  for (Row& row : rows) {
    describe_taint(row);
    by_mnemonic.emplace(row.mnemonic, row);
  }
  return by_mnemonic;
}

/// Never destroyed: code is unloaded, and asked which rows it has run, while the process exits.
const RowsByMnemonic& all_rows() {
  static const RowsByMnemonic* const rows = new RowsByMnemonic(make_rows());
  return *rows;
}

}  // namespace

std::vector<const Row*> rows_by_name() {
  std::vector<const Row*> rows;
  for (const auto& [mnemonic, row] : all_rows()) rows.push_back(&row);
  std::sort(rows.begin(), rows.end(),
            [](const Row* a, const Row* b) { return a->mnemonic < b->mnemonic; });
  return rows;
}

const Row* find_row(std::string_view mnemonic, isa::Target target) {
  const auto [first, last] = all_rows().equal_range(mnemonic);
  const auto found = std::find_if(
      first, last, [&](const auto& entry) { return (entry.second.targets & target) != 0; });
  return found != last ? &found->second : nullptr;
}

isa::HostLevel host_level() {
  static const isa::HostLevel level = [] {
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
        __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl")) {
      return isa::HostLevel::kAvx512;
    }
    const bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    return avx2 ? isa::HostLevel::kAvx2 : isa::HostLevel::kBaseline;
  }();
  return level;
}

}  // namespace compass::interp
