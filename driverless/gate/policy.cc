// SPDX-License-Identifier: MIT
#include "driverless/gate/policy.h"

#include <algorithm>
#include <map>

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

/// Of all processes, by Finding::id.
using LaunchCounts = std::map<std::string_view, std::uint64_t>;

LaunchCounts launches_by_id(const std::vector<ProcessReport>& processes) {
  LaunchCounts counts;
  for (const ProcessReport& process : processes) {
    for (const Finding& finding : process.report.findings) counts[finding.id] += finding.launches;
  }
  return counts;
}

FindingState state_under(const AllowEntry& entry, const Date& today, std::uint64_t launches) {
  if (entry.expires < today) return FindingState::kExpired;
  const bool is_over = entry.most && launches > *entry.most;
  return is_over ? FindingState::kOverMost : FindingState::kAllowed;
}

/// `launches`: of all processes.
JudgedFinding judge(const Finding& finding, const Policy& policy, std::uint64_t launches) {
  JudgedFinding judged;
  judged.finding = &finding;
  if (policy.allow) judged.allow = policy.allow->find(finding.id);
  if (judged.allow != nullptr) {
    judged.state = state_under(*judged.allow, policy.today, launches);
  } else if (policy.baseline && policy.baseline->knows(finding.id)) {
    judged.state = FindingState::kKnown;
  }
  judged.fails = counts(judged.state) && finding.level >= policy.fail_on;
  return judged;
}

void note_absent(Ruling& ruling, const Policy& policy, const LaunchCounts& found) {
  if (policy.baseline) {
    for (const KnownFinding& known : policy.baseline->findings) {
      if (!found.contains(known.id)) ruling.gone.push_back(&known);
    }
  }
  if (!policy.allow) return;
  for (const AllowEntry& entry : policy.allow->entries) {
    if (!found.contains(entry.id)) ruling.unused.push_back(&entry);
  }
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

std::string_view name_of(FindingState state) {
  switch (state) {
    case FindingState::kNew:
      return "new";
    case FindingState::kKnown:
      return "known";
    case FindingState::kAllowed:
      return "allowed";
    case FindingState::kExpired:
      return "expired";
    case FindingState::kOverMost:
      break;
  }
  return "over-most";
}

Ruling ruling_of(const Policy& policy, const std::vector<ProcessReport>& processes) {
  const LaunchCounts launches = launches_by_id(processes);
  Ruling ruling;
  bool has_failed = false;
  for (std::size_t i = 0; i < processes.size(); ++i) {
    for (const Finding& finding : processes[i].report.findings) {
      JudgedFinding judged = judge(finding, policy, launches.at(finding.id));
      judged.process = i;
      has_failed |= judged.fails;
      ruling.findings.push_back(judged);
    }
  }
  if (!policy.is_of_a_part) note_absent(ruling, policy, launches);
  if (!policy.missing_baseline.empty()) {
    ruling.outcome = Outcome::kNoBaseline;
  } else if (has_failed) {
    ruling.outcome = Outcome::kFailed;
  } else if (!is_checked(policy, processes)) {
    ruling.outcome = Outcome::kUnchecked;
  }
  return ruling;
}

}  // namespace compass::gate
