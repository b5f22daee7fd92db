// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "driverless/gate/allow_list.h"
#include "driverless/gate/baseline.h"
#include "driverless/gate/process_report.h"

namespace compass::gate {

/// What the user makes of findings: which ones fail, and which rules must have been checked.
struct Policy {
  Level fail_on = Level::kError;
  std::vector<std::string> require;  ///< names of rules
  std::optional<AllowList> allow;
  std::optional<Baseline> baseline;
  std::string missing_baseline;  ///< the file that was to be the baseline, and does not exist
  Date today;
  /// Findings of other processes are not here: nothing is said of what is absent.
  bool is_of_a_part = false;
};

/// The names of all rules, in the order of docs/rules/.
std::vector<std::string> rule_names();

/// Those that are required where nothing else is said: what a launch does to memory.
std::vector<std::string> memory_rules();

/// What a rule says of a process: the worst that is true.
enum class RuleVerdict : std::uint8_t { kOk, kUnchecked, kWarning, kError };

std::string_view name_of(RuleVerdict verdict);

/// `rule` must be one that the report tells of.
RuleVerdict verdict_of(const Report& report, const std::string& rule);

/// How a check ends. The values are the exit codes of `check`.
enum class Outcome : std::uint8_t {
  kPassed = 0,
  kFailed = 1,      ///< there are findings that fail
  kUnchecked = 3,   ///< nothing was checked, or a required rule was not for a launch
  kNoBaseline = 4,  ///< what was found could not be compared
};

/// What the policy's files say of a finding. The allow list comes first: a baseline that is made
/// anew from each report must not keep alive what was allowed for a time.
enum class FindingState : std::uint8_t {
  kNew,       ///< neither has it
  kKnown,     ///< the baseline has it
  kAllowed,   ///< the allow list has it
  kExpired,   ///< it did, until a day that is past
  kOverMost,  ///< it does, but for fewer launches
};

std::string_view name_of(FindingState state);

/// Whether it fails where its level does.
constexpr bool counts(FindingState state) {
  return state != FindingState::kKnown && state != FindingState::kAllowed;
}

/// A finding under a policy.
struct JudgedFinding {
  std::size_t process = 0;  ///< whose finding it is, counted from 0
  const Finding* finding = nullptr;
  FindingState state = FindingState::kNew;
  const AllowEntry* allow = nullptr;  ///< null: it has none
  bool fails = false;
};

/// What a policy makes of the reports of all processes. Both must outlive it.
struct Ruling {
  std::vector<JudgedFinding> findings;    ///< by process, each in the order of its report
  std::vector<const KnownFinding*> gone;  ///< those of the baseline that were not found
  std::vector<const AllowEntry*> unused;  ///< those for which there is no finding
  Outcome outcome = Outcome::kPassed;
};

/// Of all processes together, since one that launches nothing is no matter beside others.
Ruling ruling_of(const Policy& policy, const std::vector<ProcessReport>& processes);

}  // namespace compass::gate
