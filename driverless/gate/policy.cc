// SPDX-License-Identifier: MIT
#include "driverless/gate/policy.h"

#include <algorithm>

namespace compass::gate {
namespace {

bool is_unchecked(const Report& report, const std::string& rule) {
  const auto found = report.rules.find(rule);
  return (found == report.rules.end() ? report.unchecked : found->second.unchecked) != 0;
}

/// Whether all that the policy requires was checked, and anything at all.
bool is_checked(const Policy& policy, const std::vector<ProcessReport>& processes) {
  const auto lacks_something = [&](const ProcessReport& process) {
    return !process.is_whole ||
           std::any_of(policy.require.begin(), policy.require.end(),
                       [&](const auto& rule) { return is_unchecked(process.report, rule); });
  };
  const bool is_any_checked =
      std::any_of(processes.begin(), processes.end(),
                  [](const ProcessReport& process) { return process.report.checked != 0; });
  return is_any_checked && (policy.require.empty() ||
                            std::none_of(processes.begin(), processes.end(), lacks_something));
}

}  // namespace

std::vector<std::string> rule_names() {
  std::vector<std::string> names;
  for (const auto& rule : all_rules()) names.emplace_back(rule->name());
  return names;
}

std::vector<std::string> memory_rules() {
  return {"out-of-bounds", "use-after-free", "uninit-read", "misaligned-access"};
}

std::string_view name_of(RuleVerdict verdict) {
  switch (verdict) {
    case RuleVerdict::kOk:
      return "ok";
    case RuleVerdict::kUnchecked:
      return "unchecked";
    case RuleVerdict::kWarning:
      return "warning";
    case RuleVerdict::kError:
      break;
  }
  return "error";
}

RuleVerdict verdict_of(const Report& report, const std::string& rule) {
  const RuleTally& tally = report.rules.at(rule);
  auto verdict =
      tally.unchecked != 0 || tally.checked == 0 ? RuleVerdict::kUnchecked : RuleVerdict::kOk;
  for (const Finding& finding : report.findings) {
    if (finding.rule != rule) continue;
    const bool is_error = finding.level == Level::kError;
    verdict = std::max(verdict, is_error ? RuleVerdict::kError : RuleVerdict::kWarning);
  }
  return verdict;
}

Ruling apply(const Policy& policy, const std::vector<ProcessReport>& processes) {
  Ruling ruling;
  bool has_failed = false;
  for (std::size_t i = 0; i < processes.size(); ++i) {
    for (const Finding& finding : processes[i].report.findings) {
      const bool fails = finding.level >= policy.fail_on;
      has_failed |= fails;
      ruling.findings.push_back({i, &finding, fails});
    }
  }
  if (has_failed) {
    ruling.outcome = Outcome::kFailed;
  } else if (!is_checked(policy, processes)) {
    ruling.outcome = Outcome::kUnchecked;
  }
  return ruling;
}

}  // namespace compass::gate
