// SPDX-License-Identifier: MIT
#include "cli/verdict.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <ctime>
#include <utility>

#include "cli/input_text.h"
#include "driverless/gate/print.h"
#include "ir/names.h"

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

/// Where SOURCE_DATE_EPOCH is set, its day.
Result<gate::Date> today() {
  const char* const given = std::getenv("SOURCE_DATE_EPOCH");
  if (given == nullptr) return gate::date_of(std::time(nullptr));
  std::int64_t seconds = 0;
  const std::string_view text = given;
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), seconds);
  constexpr std::int64_t kYear9999 = 253'370'764'800;
  if (failed == std::errc() && end == text.data() + text.size() && seconds >= 0 &&
      seconds < kYear9999) {
    return gate::date_of(seconds);
  }
  return Error{ErrorCode::kInvalid,
               concat("SOURCE_DATE_EPOCH is '", printable(text), "': expected seconds since 1970")};
}

/// A baseline that does not exist is no error: the first check of all has none.
Result<void> read_baseline(const std::string& file, gate::Policy& policy) {
  const auto text = read_input(file);
  if (!text && text.error().code == ErrorCode::kNotFound) {
    policy.missing_baseline = file;
    return {};
  }
  if (!text) return Error(text.error()).with("--baseline");
  auto baseline = gate::parse_baseline(*text, printable(file));
  if (!baseline) return std::move(baseline).error().with("--baseline");
  policy.baseline = std::move(*baseline);
  return {};
}

Result<void> read_allow_list(const std::string& file, gate::Policy& policy) {
  const auto text = read_input(file);
  if (!text) return Error(text.error()).with("--allow");
  auto list = gate::parse_allow_list(*text, printable(file));
  if (!list) return std::move(list).error().with("--allow");
  policy.allow = std::move(*list);
  return {};
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
  command
      .add_option("--allow", options.allow,
                  "TOML with findings that somebody answers for, until a day: docs/check.md")
      ->type_name("FILE");
  command
      .add_option("--baseline", options.baseline,
                  "a report in JSON: the findings in it are known, and do not fail")
      ->type_name("FILE");
  command.add_option("--format", options.format, "how to print the report")
      ->check(CLI::IsMember(format_names()))
      ->capture_default_str();
}

Result<gate::Policy> policy_of(const VerdictOptions& options) {
  gate::Policy policy;
  if (options.fail_on == "warning") policy.fail_on = gate::Level::kWarning;
  ASSIGN_OR_RETURN(policy.require, required_rules(options.require));
  ASSIGN_OR_RETURN(policy.today, today());
  if (!options.allow.empty()) {
    if (auto ok = read_allow_list(options.allow, policy); !ok) return std::move(ok).error();
  }
  if (!options.baseline.empty()) {
    if (auto ok = read_baseline(options.baseline, policy); !ok) return std::move(ok).error();
  }
  return policy;
}

Verdict verdict_on(std::string_view command, const std::vector<gate::ProcessReport>& processes,
                   const std::vector<Unrecorded>& unrecorded, const gate::Policy& policy,
                   const VerdictOptions& options) {
  const gate::Ruling ruling = ruling_of(policy, processes);
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
