// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cstdio>

#include "driverless/case/names.h"
#include "driverless/case/print.h"

namespace compass::kernel_case {
namespace {

constexpr std::size_t kColumns = 5;
constexpr std::size_t kShownFindings = 4;
using Line = std::array<std::string, kColumns>;

std::string milliseconds(std::uint64_t elapsed_ns) {
  char text[32];
  std::snprintf(text, sizeof text, "%.1f ms", static_cast<double>(elapsed_ns) / 1e6);
  return text;
}

Line line_of(const RunResult& result) {
  const bool ran = result.verdict != Verdict::kSkipped;
  return {result.case_name, result.architecture, std::string(name_of(result.verdict)),
          ran ? std::to_string(result.wave_instructions) : "-",
          ran ? milliseconds(result.elapsed_ns) : "-"};
}

/// Numbers, the last two columns, stand to the right.
std::string aligned(const Line& line, const std::array<std::size_t, kColumns>& widths) {
  std::string text;
  for (std::size_t column = 0; column < kColumns; ++column) {
    const std::string padding(widths[column] - line[column].size(), ' ');
    const bool is_number = column >= kColumns - 2;
    text += concat(column == 0 ? "" : "  ", is_number ? padding : "", line[column],
                   is_number ? "" : padding);
  }
  return text + "\n";
}

/// "[3, 17]"
std::string index_text(const std::vector<std::uint64_t>& index) {
  std::string text;
  for (const std::uint64_t at : index) text += concat(text.empty() ? "" : ", ", at);
  return concat("[", text, "]");
}

std::string to_text(const Mismatch& mismatch) {
  const Dtype& dtype = *mismatch.dtype;
  std::string text =
      concat("    ", mismatch.buffer, index_text(mismatch.index), " (element ", mismatch.element,
             ", ", dtype.name, "): expected ", to_text(dtype, mismatch.want_bits));
  if (mismatch.had_to_keep) text += ", as before the launch";
  if (mismatch.allowed != 0) {
    char allowed[40];
    std::snprintf(allowed, sizeof allowed, " within %.3g", mismatch.allowed);
    text += allowed;
  }
  text += concat(", found ", to_text(dtype, mismatch.got_bits), "; ", mismatch.differing, " of ",
                 mismatch.elements, " elements differ\n");
  if (!mismatch.last_writer.empty()) {
    text += concat("        last store: ", mismatch.last_writer, "\n");
  }
  return text;
}

std::string place_text(const Finding& finding) {
  const Fault& fault = finding.first;
  if (fault.space != AddressSpace::kGlobal) {
    return concat(name_of(fault.space), " + ", fault.address.value, " of ", fault.allocation_bytes,
                  " bytes");
  }
  if (finding.buffer.empty()) return concat("address ", hex(fault.address.value), ", no buffer");
  if (fault.offset_bytes < 0) {
    return concat(-fault.offset_bytes, " bytes before the start of ", finding.buffer);
  }
  const std::int64_t beyond =
      fault.offset_bytes - static_cast<std::int64_t>(fault.allocation_bytes);
  const std::string end = beyond < 0 ? std::string() : concat(", ", beyond, " bytes past its end");
  return concat(finding.buffer, " + ", fault.offset_bytes, " of ", fault.allocation_bytes, " bytes",
                end);
}

std::string to_text(const Finding& finding) {
  const Fault& fault = finding.first;
  return concat("    ", name_of(fault.kind), ": ", name_of(fault.access), " of ", fault.size_bytes,
                " bytes at ", place_text(finding), "; pc ", hex(fault.pc), ": ", fault.instruction,
                "; workgroup ", fault.workgroup[0], ",", fault.workgroup[1], ",",
                fault.workgroup[2], ", wavefront ", fault.wavefront, ", lane ", fault.lane, "; ",
                finding.accesses, finding.accesses == 1 ? " access\n" : " accesses\n");
}

std::string_view what_of(Decision decision) {
  switch (decision) {
    case Decision::kAddress:
      return "an address";
    case Decision::kExec:
      return "EXEC";
    case Decision::kBranch:
      break;
  }
  return "a branch";
}

std::string to_text(const UndefinedUse& use) {
  const TaintedDecision& first = use.first;
  std::string text = concat("    uninit-read: an undefined value decides ", what_of(first.decision),
                            "; pc ", hex(first.pc), ": ", first.instruction, "; workgroup ",
                            first.workgroup[0], ",", first.workgroup[1], ",", first.workgroup[2],
                            ", wavefront ", first.wavefront, ", lane ", first.lane);
  if (first.has_origin) {
    const std::string from =
        use.buffer.empty() ? std::string(name_of(first.origin_space)) : use.buffer;
    text += concat("; loaded at pc ", hex(first.origin_pc), " from ", from, " + ",
                   first.origin_offset_bytes);
  }
  return concat(text, "; ", use.uses, use.uses == 1 ? " use\n" : " uses\n");
}

std::string details_of(const RunResult& result) {
  std::string text;
  if (!result.cause.empty()) text += concat("    ", result.cause, "\n");
  for (std::size_t i = 0; i < result.findings.size() && i < kShownFindings; ++i) {
    text += to_text(result.findings[i]);
  }
  if (result.findings.size() > kShownFindings) {
    text += concat("    and ", result.findings.size() - kShownFindings, " more findings\n");
  }
  for (const UndefinedUse& use : result.undefined_uses) text += to_text(use);
  for (const Mismatch& mismatch : result.mismatches) text += to_text(mismatch);
  return text;
}

/// Names come from files: no control character of theirs reaches a terminal.
std::string printable(std::string text) {
  for (char& c : text) {
    if ((static_cast<unsigned char>(c) < ' ' && c != '\n') || c == 0x7f) c = '?';
  }
  return text;
}

}  // namespace

Counts count(std::span<const RunResult> results) {
  Counts counts;
  for (const RunResult& result : results) {
    if (result.verdict == Verdict::kPass) {
      ++counts.passed;
    } else if (result.verdict == Verdict::kSkipped) {
      ++counts.skipped;
    } else {
      ++counts.failed;
    }
  }
  return counts;
}

std::string to_text(std::span<const RunResult> results) {
  std::vector<Line> lines{{"case", "arch", "result", "wave-instructions", "time"}};
  for (const RunResult& result : results) lines.push_back(line_of(result));
  std::array<std::size_t, kColumns> widths{};
  for (const Line& line : lines) {
    for (std::size_t column = 0; column < kColumns; ++column) {
      widths[column] = std::max(widths[column], line[column].size());
    }
  }
  std::string text = aligned(lines[0], widths);
  for (std::size_t i = 0; i < results.size(); ++i) {
    text += aligned(lines[i + 1], widths) + details_of(results[i]);
  }
  const Counts counts = count(results);
  return printable(text) + concat(counts.passed, " passed, ", counts.failed, " failed, ",
                                  counts.skipped, " skipped\n");
}

}  // namespace compass::kernel_case
