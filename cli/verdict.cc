// SPDX-License-Identifier: MIT
#include "cli/verdict.h"

#include <algorithm>

namespace compass::cli {

void add_verdict_options(CLI::App& command, VerdictOptions& options) {
  command.add_option("--fail-on", options.fail_on, "lowest level that makes the exit code 1")
      ->check(CLI::IsMember({"error", "warning"}))
      ->capture_default_str();
  command.add_option("--format", options.format, "how to print the report")
      ->check(CLI::IsMember({"text", "json"}))
      ->capture_default_str();
}

std::string text_of(const std::vector<Verdict>& verdicts, const VerdictOptions& options) {
  const bool is_json = options.format == "json";
  std::string text;
  for (const Verdict& verdict : verdicts) {
    const bool is_first = &verdict == &verdicts.front();
    if (is_json) {
      text += concat(is_first ? "" : ",\n", gate::to_json(verdict.report, verdict.environment));
      continue;
    }
    if (verdicts.size() > 1) text += concat(is_first ? "" : "\n", verdict.heading, '\n');
    text += gate::to_text(verdict.report, verdict.environment);
  }
  return text;
}

int exit_code_for(const std::vector<Verdict>& verdicts, const VerdictOptions& options) {
  const gate::Level limit =
      options.fail_on == "warning" ? gate::Level::kWarning : gate::Level::kError;
  std::uint64_t checked = 0;
  bool is_whole = true;
  for (const Verdict& verdict : verdicts) {
    const gate::Report& report = verdict.report;
    const bool fails =
        std::any_of(report.findings.begin(), report.findings.end(),
                    [&](const gate::Finding& finding) { return finding.level >= limit; });
    if (fails) return kFindings;
    checked += report.checked;
    is_whole &= verdict.is_whole && report.unchecked == 0;
  }
  return checked != 0 && is_whole ? kNoFinding : kNotChecked;
}

std::string incomplete_cause(const Recording& recording) {
  if (recording.complete) return {};
  return recording.incomplete_cause.empty() ? "it does not say why" : recording.incomplete_cause;
}

}  // namespace compass::cli
