// SPDX-License-Identifier: MIT
#include "ir/coverage.h"

#include <algorithm>
#include <array>
#include <tuple>
#include <utility>

#include "ir/base/concat.h"

namespace compass {
namespace {

constexpr std::array<std::string_view, 4> kBases{"exact", "published", "bounded", "assumed"};

/// How many instructions of one basis are named.
constexpr std::uint64_t kNamed = 4;

bool is_named(Basis basis) { return basis == Basis::kBounded || basis == Basis::kAssumed; }

}  // namespace

std::string_view name_of(Basis basis) { return kBases.at(static_cast<std::size_t>(basis)); }

std::optional<Basis> basis_of(std::string_view name) {
  for (std::size_t n = 0; n < kBases.size(); ++n) {
    if (kBases[n] == name) return static_cast<Basis>(n);
  }
  return std::nullopt;
}

std::string fidelity_text(std::span<const RanInstruction> instructions) {
  std::string parts;
  for (std::size_t n = 0; n < kBases.size(); ++n) {
    const auto basis = static_cast<Basis>(n);
    std::uint64_t count = 0;
    std::string names;
    for (const RanInstruction& each : instructions) {
      if (each.basis != basis) continue;
      if (++count <= kNamed) names += concat(names.empty() ? "" : ", ", each.mnemonic);
    }
    if (count == 0) continue;
    if (count > kNamed) names += concat(" and ", count - kNamed, " more");
    parts += concat(parts.empty() ? ": " : ", ", count, ' ', kBases[n]);
    if (is_named(basis)) parts += concat(" (", names, ")");
  }
  return concat(instructions.size(), instructions.size() == 1 ? " instruction" : " instructions",
                parts);
}

std::map<std::string, std::vector<std::string>> mnemonics_by_basis(
    std::span<const RanInstruction> instructions) {
  std::map<std::string, std::vector<std::string>> by_basis;
  for (const RanInstruction& each : instructions) {
    by_basis[std::string(name_of(each.basis))].push_back(each.mnemonic);
  }
  return by_basis;
}

void CoverageCounter::add_gap(std::uint64_t record, std::uint64_t node, const std::string& reason) {
  ++launches_;
  const auto [number, is_new] = numbers_.try_emplace(reason, reasons_.size());
  if (is_new) reasons_.push_back(reason);
  gaps_.push_back({record, node, number->second});
}

void CoverageCounter::finish(Coverage& coverage) {
  std::stable_sort(gaps_.begin(), gaps_.end(), [](const CoverageGap& a, const CoverageGap& b) {
    return std::tie(a.record, a.node) < std::tie(b.record, b.node);
  });
  coverage.launches = std::exchange(launches_, 0);
  coverage.reasons = std::exchange(reasons_, {});
  coverage.gaps = std::exchange(gaps_, {});
  numbers_.clear();
}

}  // namespace compass
