// SPDX-License-Identifier: MIT
#include "cli/interpret_report.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "ir/base/concat.h"
#include "ir/names.h"

namespace compass::cli {
namespace {

using inspection::Comparison;
using inspection::Difference;
using inspection::Interpretation;
using Json = nlohmann::ordered_json;

std::string plural(std::uint64_t count, std::string_view word) {
  return concat(count, " ", word, count == 1 ? "" : word.ends_with("ch") ? "es" : "s");
}

std::string line(std::string_view label, const std::string& value) {
  return concat("  ", label, std::string(10 - label.size(), ' '), printable(value), "\n");
}

std::string place_of(const Difference& difference) {
  const std::string node =
      difference.node == 0 ? "" : concat(" (node of record ", difference.node, ")");
  return concat("record ", difference.record, node);
}

std::string accesses_of(const Interpretation& made) {
  const Comparison& accesses = made.accesses;
  std::string text = concat(plural(accesses.same, "launch"), " as recorded");
  if (made.added != 0) text += concat(", ", made.added, " added");
  if (!accesses.first) return text;
  return concat(text, ", ", accesses.different, " not as recorded, first ",
                place_of(*accesses.first));
}

std::string hex_byte(std::byte value) { return hex(std::to_integer<std::uint64_t>(value), 2); }

std::string outputs_of(const Interpretation& made) {
  const Comparison& results = made.results;
  const std::uint64_t all = results.same + results.different + made.unknown_results;
  if (all == 0) return "none was recorded";
  std::string text = concat(results.same, " of ", all, " as recorded, to the bit");
  if (made.unknown_results != 0)
    text += concat(", ", made.unknown_results, " rest on unknown values");
  if (!results.first) return text;
  return concat(text, ", ", results.different, " differ, first ", place_of(*results.first),
                ", byte ", results.first->byte, ": recorded ", hex_byte(results.first->recorded),
                ", now ", hex_byte(results.first->played));
}

/// Reasons that are printed.
constexpr std::size_t kReasons = 10;

/// With how many launches each, and the first.
std::string gaps_of(const Coverage& coverage) {
  std::vector<std::uint64_t> launches(coverage.reasons.size());
  std::vector<const CoverageGap*> first(coverage.reasons.size());
  for (const CoverageGap& gap : coverage.gaps) {
    if (launches[gap.reason]++ == 0) first[gap.reason] = &gap;
  }
  std::string text;
  for (std::size_t n = 0; n < std::min(launches.size(), kReasons); ++n) {
    const Difference at{first[n]->record, first[n]->node};
    text += concat("  not interpreted: ", plural(launches[n], "launch"), ", first ", place_of(at),
                   ": ", printable(coverage.reasons[n]), "\n");
  }
  if (launches.size() <= kReasons) return text;
  return text + concat("    and for ", launches.size() - kReasons, " more reasons\n");
}

std::string text_of(const InterpretedProcess& process) {
  if (!process.has_work) return "nothing to interpret: the process only made marks\n";
  const Interpretation& made = process.made;
  std::string text =
      concat("interpreted ", made.coverage.interpreted(), " of ",
             plural(made.coverage.launches, "launch"), " on ", made.coverage.architecture, "\n");
  const std::uint64_t known = made.coverage.gaps.size() - made.joined.gaps.size();
  text +=
      line("accesses", accesses_of(made) +
                           (known == 0 ? "" : concat(", ", known, " known from the recording")));
  text += line("outputs", outputs_of(made));
  text += line("fidelity", fidelity_text(made.coverage.instructions));
  text += gaps_of(made.coverage);
  if (!process.incomplete_cause.empty()) {
    text += concat("  the recording is incomplete: ", printable(process.incomplete_cause), "\n");
  }
  return text;
}

Json to_json(const std::optional<Difference>& difference) {
  if (!difference) return {};
  return {{"record", difference->record},
          {"node", difference->node == 0 ? Json() : Json(difference->node)}};
}

Json outputs_json(const Interpretation& made) {
  Json first = to_json(made.results.first);
  if (made.results.first) {
    first["byte"] = made.results.first->byte;
    first["recorded"] = std::to_integer<unsigned>(made.results.first->recorded);
    first["now"] = std::to_integer<unsigned>(made.results.first->played);
  }
  return {{"same", made.results.same},
          {"different", made.results.different},
          {"unknown", made.unknown_results},
          {"first_different", first}};
}

Json gaps_json(const Coverage& coverage) {
  Json gaps = Json::array();
  for (const CoverageGap& gap : coverage.gaps) {
    gaps.push_back({{"record", gap.record},
                    {"node", gap.node == 0 ? Json() : Json(gap.node)},
                    {"reason", coverage.reasons[gap.reason]}});
  }
  return gaps;
}

Json to_json(const InterpretedProcess& process) {
  const Interpretation& made = process.made;
  return {{"process", process.number},
          {"heading", process.heading},
          {"incomplete_cause",
           process.incomplete_cause.empty() ? Json() : Json(process.incomplete_cause)},
          {"architecture", made.coverage.architecture},
          {"launches", made.coverage.launches},
          {"interpreted", made.coverage.interpreted()},
          {"accesses",
           {{"added", made.added},
            {"same", made.accesses.same},
            {"different", made.accesses.different},
            {"first_different", to_json(made.accesses.first)}}},
          {"outputs", outputs_json(made)},
          {"fidelity", mnemonics_by_basis(made.coverage.instructions)},
          {"not_interpreted", gaps_json(made.coverage)}};
}

}  // namespace

int exit_code_of(const InterpretReport& report) {
  std::uint64_t launches = 0;
  bool is_exact = true, is_whole = true;
  for (const InterpretedProcess& process : report.processes) {
    launches += process.made.coverage.launches;
    is_exact = is_exact && process.made.is_as_recorded();
    is_whole = is_whole && process.made.coverage.gaps.empty() && process.incomplete_cause.empty();
  }
  if (!is_exact) return 1;
  return is_whole && launches != 0 ? 0 : 3;
}

std::string to_text(const InterpretReport& report) {
  std::string text;
  const bool has_several = report.processes.size() > 1;
  for (const InterpretedProcess& process : report.processes) {
    const std::string head =
        has_several ? concat(process.heading, ": ") : concat(printable(report.file), ": ");
    text += head + text_of(process);
  }
  return text;
}

std::string to_json(const InterpretReport& report) {
  Json processes = Json::array();
  for (const InterpretedProcess& process : report.processes) processes.push_back(to_json(process));
  const Json json = {{"format", "compass-capture interpret"},
                     {"version", 1},
                     {"exit_code", exit_code_of(report)},
                     {"file", report.file},
                     {"output", report.output},
                     {"processes", processes}};
  // Names come from files: what is no UTF-8 in them must not throw.
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace compass::cli
