// SPDX-License-Identifier: MIT
#include "driverless/gate/print.h"
#include "ir/base/concat.h"
#include "ir/names.h"

namespace compass::gate {
namespace {

constexpr std::size_t kReasons = 10;

std::string_view verb(AccessKind access) {
  switch (access) {
    case AccessKind::kLoad:
      return "reads";
    case AccessKind::kStore:
      return "writes";
    case AccessKind::kAtomic:
      break;
  }
  return "updates";
}

std::string object(const Place& place) {
  if (place.fault == FaultKind::kUseAfterFree && !place.buffer.empty()) {
    return concat("freed memory of ", place.buffer);
  }
  if (place.pointee != Pointee::kAllocation) {
    return concat(
        "memory through ", place.argument,
        place.pointee == Pointee::kNull ? ", which is null" : ", which points into no allocation");
  }
  if (place.buffer.empty()) return "memory that is no allocation";
  if (place.fault == FaultKind::kMisaligned) return concat("misaligned bytes of ", place.buffer);
  if (place.offset_bytes < 0) return concat("before the start of ", place.buffer);
  return concat("past the end of ", place.buffer);
}

/// What the one line says that the kernel does.
std::string deed(const Finding& finding) {
  const Place& place = finding.places.front();
  if (place.status != 0) return concat("failed with status ", place.status);
  if (finding.kernel == "free") return concat("ends ", object(place), " again");
  if (!place.decision) return concat(verb(place.access), " ", object(place));
  const std::string whose = place.buffer.empty() ? std::string() : concat(" of ", place.buffer);
  return concat("lets undefined bytes", whose, " decide ", noun_of(*place.decision));
}

std::string plural(std::uint64_t count, std::string_view word) {
  const bool hisses = word.ends_with('s') || word.ends_with("ch");
  return concat(count, " ", word, count == 1 ? "" : hisses ? "es" : "s");
}

std::string line(std::string_view label, const std::string& value) {
  return concat("    ", label, std::string(13 - label.size(), ' '), printable(value), "\n");
}

std::string instruction_of(const Place& place) {
  return concat(describe_pc(place.pc), ": ", place.instruction);
}

std::string where(const Finding& finding, const Place& place) {
  std::string step = "outside steps";
  if (place.step) step = concat("step ", place.step.value, " (", finding.step_kind, ")");
  const std::string node = place.node == 0 ? "" : concat(" (node of record ", place.node, ")");
  const std::string record =
      concat("record ", place.record, node, ", ", step, ", phase ", finding.phase);
  return place.launch == 0 ? record : concat(place.launch, ", ", record);
}

std::string counts(const Finding& finding, bool is_launch) {
  if (!is_launch) return plural(finding.launches, "call");
  const std::string_view unit = finding.places.front().decision ? "lane" : "access";
  return concat(plural(finding.accesses, unit), " in ", plural(finding.launches, "launch"));
}

std::string also(const Place& place) {
  std::string text = place.launch == 0 ? std::string() : concat(instruction_of(place), "; ");
  if (!place.argument.empty()) text += concat("argument ", place.argument, "; ");
  return text + describe_address(place);
}

std::string headline(const Finding& finding) {
  return printable(concat(name_of(finding.level), ": ", finding.rule, ": ",
                          short_kernel_name(finding.kernel), " ", deed(finding), " [", finding.id,
                          "]"));
}

std::string details(const Finding& finding) {
  const Place& place = finding.places.front();
  const bool is_launch = place.launch != 0;
  std::string text;
  text += line(is_launch ? "kernel" : "call", finding.kernel);
  if (!place.argument.empty()) text += line("argument", place.argument);
  text += line(is_launch ? "launch" : "where", where(finding, place));
  if (is_launch) {
    text += line(
        "lane", concat("workgroup ", place.workgroup[0], ",", place.workgroup[1], ",",
                       place.workgroup[2], ", wavefront ", place.wavefront, ", lane ", place.lane));
    text += line("instruction", instruction_of(place));
  }
  if (place.origin_pc) text += line("loaded", concat("at ", describe_pc(*place.origin_pc)));
  if (place.status == 0 && (!place.decision || place.origin_pc))
    text += line("address", describe_address(place));
  if (place.decision && place.written_by != 0) {
    text += line("written", concat("by record ", place.written_by, ", from undefined bytes"));
  }
  text += line("count", counts(finding, is_launch));
  for (std::size_t i = 1; i < finding.places.size(); ++i) {
    text += line("also", also(finding.places[i]));
  }
  return text + line("hint", finding.hint);
}

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
    return text + concat(" ran on ", environment.architecture, "\n");
  }
  return text + concat(" recorded on ", printable(environment.recorded_architecture),
                       ", checked on ", environment.architecture, "\n");
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
    text += headline(*judged.finding);
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
      text += line("in", report.processes[judged.process].heading);
    }
    text += details(*judged.finding);
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
