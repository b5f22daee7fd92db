// SPDX-License-Identifier: MIT
#include "cli/verdict.h"

#include <algorithm>

#include "driverless/gate/print.h"

namespace compass::cli {
namespace {

std::vector<std::string> format_names() {
  std::vector<std::string> names;
  for (const gate::ReportFormat& format : gate::report_formats()) names.emplace_back(format.name);
  return names;
}

/// "a, b or c".
std::string list_of(const std::vector<std::string>& names) {
  std::string list;
  for (const std::string& name : names) {
    list += list.empty() ? "" : &name == &names.back() ? " or " : ", ";
    list += name;
  }
  return list;
}

/// `none` alone requires nothing.
Result<std::vector<std::string>> required_rules(const std::vector<std::string>& asked) {
  if (asked.empty()) return gate::memory_rules();
  const std::vector<std::string> known = gate::rule_names();
  std::vector<std::string> rules;
  for (const std::string& rule : asked) {
    if (rule == "none" && asked.size() == 1) break;
    if (std::find(known.begin(), known.end(), rule) == known.end()) {
      return Error{ErrorCode::kInvalid, concat("--require knows no rule '", rule, "': expected ",
                                               list_of(known), ", or none alone")};
    }
    if (std::find(rules.begin(), rules.end(), rule) == rules.end()) rules.push_back(rule);
  }
  return rules;
}

}  // namespace

void add_verdict_options(CLI::App& command, VerdictOptions& options) {
  command.add_option("--fail-on", options.fail_on, "lowest level that makes the exit code 1")
      ->check(CLI::IsMember({"error", "warning"}))
      ->capture_default_str();
  command
      .add_option("--require", options.require,
                  "rules that every launch must have been checked by; else the exit code is 3")
      ->delimiter(',')
      ->type_name("RULE,…")
      ->default_str("the memory rules")
      ->allow_extra_args(false);
  command.add_option("--format", options.format, "how to print the report")
      ->check(CLI::IsMember(format_names()))
      ->capture_default_str();
}

Result<gate::Policy> policy_of(const VerdictOptions& options) {
  gate::Policy policy;
  if (options.fail_on == "warning") policy.fail_on = gate::Level::kWarning;
  ASSIGN_OR_RETURN(policy.require, required_rules(options.require));
  return policy;
}

Verdict verdict_on(std::string_view command, const std::vector<gate::ProcessReport>& processes,
                   const std::vector<Unrecorded>& unrecorded, const gate::Policy& policy,
                   const VerdictOptions& options) {
  const gate::Ruling ruling = apply(policy, processes);
  const gate::ReportFormat* const format = gate::find_report_format(options.format);
  CHECK(format != nullptr);
  const gate::FullReport report{command, processes, policy, ruling, unrecorded};
  return {format->print(report), static_cast<int>(ruling.outcome)};
}

std::string incomplete_cause(const Recording& recording) {
  if (recording.complete) return {};
  return recording.incomplete_cause.empty() ? "it does not say why" : recording.incomplete_cause;
}

}  // namespace compass::cli
