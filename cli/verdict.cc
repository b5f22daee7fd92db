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

std::string text_of(const Verdict& verdict, const VerdictOptions& options) {
  return options.format == "json" ? gate::to_json(verdict.report, verdict.environment)
                                  : gate::to_text(verdict.report, verdict.environment);
}

int exit_code_for(const Verdict& verdict, const VerdictOptions& options) {
  const gate::Report& report = verdict.report;
  const gate::Level limit =
      options.fail_on == "warning" ? gate::Level::kWarning : gate::Level::kError;
  const bool fails =
      std::any_of(report.findings.begin(), report.findings.end(),
                  [&](const gate::Finding& finding) { return finding.level >= limit; });
  if (fails) return kFindings;
  const bool is_checked = report.checked != 0 && report.unchecked == 0 && verdict.is_whole;
  return is_checked ? kNoFinding : kNotChecked;
}

std::string incomplete_cause(const Recording& recording) {
  if (recording.complete) return {};
  return recording.incomplete_cause.empty() ? "it does not say why" : recording.incomplete_cause;
}

}  // namespace compass::cli
