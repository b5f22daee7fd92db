// SPDX-License-Identifier: MIT
#include "driverless/interp/row.h"

#include <unordered_map>

namespace compass::interp {
namespace {

std::unordered_map<std::string_view, Row> all_rows() {
  std::vector<Row> rows;
  append_scalar_rows(rows);
  append_vector_rows(rows);
  append_memory_rows(rows);
  append_matrix_rows(rows);
  std::unordered_map<std::string_view, Row> by_mnemonic;
  for (const Row& row : rows) by_mnemonic.emplace(row.mnemonic, row);
  return by_mnemonic;
}

}  // namespace

const Row* find_row(std::string_view mnemonic, isa::Target target) {
  static const std::unordered_map<std::string_view, Row> rows = all_rows();
  const auto found = rows.find(mnemonic);
  return found != rows.end() && (found->second.targets & target) != 0 ? &found->second : nullptr;
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
