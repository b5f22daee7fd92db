// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "driverless/gate/policy.h"
#include "driverless/gate/process_report.h"

namespace compass::gate {

/// All that there is to print of a check or run. What it refers to must outlive it.
struct FullReport {
  std::string_view command;  ///< "check" or "run"
  const std::vector<ProcessReport>& processes;
  const Policy& policy;
  const Ruling& ruling;  ///< of `policy` on `processes`
  std::vector<Unrecorded> unrecorded = {};
};

/// A way to print reports. Each is one file here, and is named in report_formats() and nowhere
/// else.
struct ReportFormat {
  std::string_view name;
  std::string (*print)(const FullReport& report);
};

std::span<const ReportFormat> report_formats();

/// Null where there is none of that name.
const ReportFormat* find_report_format(std::string_view name);

/// For people: findings in a line each; then their details; then what was checked, and with what.
std::string to_text(const FullReport& report);

/// For programs: one JSON object, as docs/check.md has it.
std::string to_json(const FullReport& report);

/// The same of one process, under a policy that requires the memory rules and allows nothing.
std::string to_text(const Report& report, const Environment& environment);
std::string to_json(const Report& report, const Environment& environment);

}  // namespace compass::gate
