// SPDX-License-Identifier: MIT
#include "driverless/gate/details.h"
#include "driverless/gate/print.h"
#include "ir/base/concat.h"
#include "ir/names.h"

namespace compass::gate {
namespace {

constexpr std::size_t kReasons = 10;

std::string to_text(const Unchecked& unchecked) {
  return concat("    ", plural(unchecked.launches, "launch"), " from launch ",
                unchecked.first_launch, " (record ", unchecked.first_record,
                "): ", printable(unchecked.reason), "\n");
}

std::string to_text(const std::vector<Unchecked>& reasons) {
  std::string text;
  for (std::size_t i = 0; i < reasons.size() && i < kReasons; ++i) text += to_text(reasons[i]);
  if (reasons.size() <= kReasons) return text;
  return text + concat("    and for ", reasons.size() - kReasons, " more reasons\n");
}

std::string counts_of(const Report& report) {
  std::string text =
      concat("checked ", plural(report.checked, "launch"), ", unchecked ", report.unchecked, "\n");
  text += to_text(report.reasons);
  for (const auto& [rule, tally] : report.rules) {
    if (tally.reasons.empty()) continue;
    text += concat(rule, ": checked ", plural(tally.checked, "launch"), ", unchecked ",
                   tally.unchecked, "\n", to_text(tally.reasons));
  }
  return text;
}

std::string to_text(const Environment& environment) {
  std::string text;
  if (!environment.incomplete_cause.empty()) {
    text += concat("the recording is incomplete: ", printable(environment.incomplete_cause), "\n");
  }
  text += concat("compass-capture ", environment.version, ", ", printable(environment.program));
  if (environment.recorded_architecture.empty()) {
    text += concat(" ran on ", environment.architecture, "\n");
  } else {
    text += concat(" recorded on ", printable(environment.recorded_architecture), ", checked on ",
                   environment.architecture, "\n");
  }
  if (environment.instructions.empty()) return text;
  return text + concat("fidelity: ", fidelity_text(environment.instructions), "\n");
}

std::string to_text(const std::vector<Unrecorded>& programs) {
  if (programs.empty()) return {};
  std::string text = "ran without the recorder, their launches are not checked:\n";
  for (const auto& [program, cause] : programs) {
    text += concat("    ", printable(program), ": ", cause, "\n");
  }
  return text;
}

/// What the policy makes of it, after the finding's line.
std::string judgement(const JudgedFinding& judged) {
  if (judged.state == FindingState::kKnown) return ", known";
  if (judged.allow == nullptr) return {};
  const AllowEntry& entry = *judged.allow;
  const std::string until =
      concat(" by ", printable(entry.owner), " until ", to_string(entry.expires));
  if (judged.state == FindingState::kExpired) return concat(", was allowed", until);
  if (judged.state == FindingState::kAllowed) {
    return concat(", allowed", until, ": ", printable(entry.reason));
  }
  return concat(", allowed", until, " for ", plural(*entry.most, "launch"), " and has more");
}

std::string lines_of_findings(const FullReport& report) {
  std::string text;
  for (const JudgedFinding& judged : report.ruling.findings) {
    text += headline_of(*judged.finding);
    if (report.processes.size() > 1) {
      text += concat(" in ", report.processes[judged.process].heading);
    }
    text += judgement(judged) + "\n";
  }
  return text;
}

/// What the policy's files have and the reports have not.
std::string lines_of_absent(const FullReport& report) {
  const Policy& policy = report.policy;
  std::string text;
  for (const KnownFinding* known : report.ruling.gone) {
    text += printable(concat("gone: ", known->rule, ": ", short_kernel_name(known->kernel), " [",
                             known->id, "], which ", policy.baseline->file, " has"));
    text += "\n";
  }
  for (const AllowEntry* entry : report.ruling.unused) {
    text +=
        printable(concat("unused: ", policy.allow->file, ":", entry->line, " allows [", entry->id,
                         "], which was not found: ", entry->owner, " can remove it"));
    text += "\n";
  }
  if (policy.missing_baseline.empty()) return text;
  return text + concat("no baseline: ", printable(policy.missing_baseline),
                       " does not exist, so that nothing is known\n");
}

/// Of findings that somebody must look at.
std::string all_details(const FullReport& report) {
  std::string text;
  for (const JudgedFinding& judged : report.ruling.findings) {
    if (!counts(judged.state)) continue;
    text += concat("[", judged.finding->id, "]\n");
    if (report.processes.size() > 1) {
      text += detail_line("in", report.processes[judged.process].heading);
    }
    text += details_of(*judged.finding);
  }
  return text;
}

}  // namespace

std::string to_text(const FullReport& report) {
  std::string text;
  const auto add_apart = [&](const std::string& part) {
    if (!part.empty() && !text.empty()) text += "\n";
    text += part;
  };
  add_apart(lines_of_findings(report) + lines_of_absent(report));
  add_apart(all_details(report));
  const bool is_of_several = report.processes.size() > 1;
  for (const ProcessReport& process : report.processes) {
    const std::string heading = is_of_several ? process.heading + "\n" : std::string();
    add_apart(concat(heading, counts_of(process.report), to_text(process.environment)));
  }
  if (is_of_several) {
    add_apart(to_text(report.unrecorded));
  } else {
    text += to_text(report.unrecorded);
  }
  return text;
}

}  // namespace compass::gate
