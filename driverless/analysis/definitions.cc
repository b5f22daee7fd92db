// SPDX-License-Identifier: MIT
#include "driverless/analysis/definitions.h"

#include <algorithm>

namespace compass::analysis {

using Kind = TracedValue::Kind;

Definitions::Definitions(const Look& look) : look_(look) {
  for (std::size_t at = 0; at < look.steps.size(); ++at) {
    const TraceStep& step = look.steps[at];
    if (!step.has_run) continue;
    for (unsigned n = 0; n < step.results.size(); ++n) {
      const TracedValue& result = step.results[n];
      if (result.kind == Kind::kVgpr && !step.active) continue;
      for (unsigned word = 0; word < result.registers; ++word) {
        const auto name = register_of(result, word);
        if (name) by_register_[*name].push_back({at, n, word});
      }
    }
  }
}

std::string_view Definitions::mnemonic(std::size_t index) const {
  const auto line = look_.code.find(step(index).pc);
  return line == look_.code.end() ? std::string_view() : std::string_view(line->second.mnemonic);
}

std::optional<Definitions::Register> Definitions::register_of(const TracedValue& value,
                                                              unsigned word) {
  if (value.kind == Kind::kNone || value.kind == Kind::kConstant) return std::nullopt;
  return Register(value.kind, value.kind == Kind::kScc ? 0 : value.index + word);
}

std::optional<Definition> Definitions::of(const TracedValue& value, unsigned word,
                                          std::size_t before) const {
  const auto name = register_of(value, word);
  if (!name) return std::nullopt;
  const auto found = by_register_.find(*name);
  if (found == by_register_.end()) return std::nullopt;
  const std::vector<Definition>& all = found->second;
  const auto next = std::lower_bound(
      all.begin(), all.end(), before,
      [](const Definition& each, std::size_t wanted) { return each.step < wanted; });
  if (next == all.begin()) return std::nullopt;
  return *std::prev(next);
}

std::optional<std::size_t> Definitions::store_before(std::size_t load) const {
  const TracedAccess& from = step(load).access;
  for (std::size_t at = load; at-- > 0;) {
    const TraceStep& step = look_.steps[at];
    const TracedAccess& to = step.access;
    if (step.kind != TraceStep::Kind::kMemory || !step.active || !to.stores) continue;
    const bool meets = to.space == from.space && to.address <= from.address &&
                       from.address < to.address + to.size_bytes;
    if (meets) return at;
  }
  return std::nullopt;
}

}  // namespace compass::analysis
