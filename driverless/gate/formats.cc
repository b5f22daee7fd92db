// SPDX-License-Identifier: MIT
#include <algorithm>

#include "driverless/gate/print.h"

namespace compass::gate {
namespace {

constexpr ReportFormat kFormats[] = {{"text", to_text}, {"json", to_json}};

template <class Print>
std::string print_alone(const Report& report, const Environment& environment, Print print) {
  const Policy policy{.fail_on = Level::kError, .require = memory_rules()};
  const std::vector<ProcessReport> processes = {{1, "", report, environment, true}};
  const Ruling ruling = ruling_of(policy, processes);
  return print({"check", processes, policy, ruling});
}

}  // namespace

std::span<const ReportFormat> report_formats() { return kFormats; }

const ReportFormat* find_report_format(std::string_view name) {
  const auto* const found =
      std::find_if(std::begin(kFormats), std::end(kFormats),
                   [&](const ReportFormat& format) { return format.name == name; });
  return found == std::end(kFormats) ? nullptr : found;
}

std::string to_text(const Report& report, const Environment& environment) {
  return print_alone(report, environment, [](const FullReport& full) { return to_text(full); });
}

std::string to_json(const Report& report, const Environment& environment) {
  return print_alone(report, environment, [](const FullReport& full) { return to_json(full); });
}

}  // namespace compass::gate
