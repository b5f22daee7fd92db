// SPDX-License-Identifier: MIT
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "driverless/gate/gate.h"
#include "driverless/gate/print.h"
#include "ir/recording.h"

namespace compass::cli {

inline constexpr int kNoFinding = 0;
inline constexpr int kFindings = 1;
inline constexpr int kNotChecked = 3;

/// What `check` and `run` let the user say of the report.
struct VerdictOptions {
  std::string fail_on = "error";
  std::string format = "text";
};
void add_verdict_options(CLI::App& command, VerdictOptions& options);

/// The report of one recording.
struct Verdict {
  std::string heading;  ///< for where there are several
  gate::Report report;
  gate::Environment environment;
  bool is_whole = true;  ///< nothing that the program did is missing
};

/// One report, or each under its heading; of several in JSON the elements of an array.
std::string text_of(const std::vector<Verdict>& verdicts, const VerdictOptions& options);

/// Of all together, since a process that launches nothing is no matter beside others: kFindings,
/// kNotChecked or kNoFinding.
int exit_code_for(const std::vector<Verdict>& verdicts, const VerdictOptions& options);

/// Why the recording is incomplete; empty where it is complete.
std::string incomplete_cause(const Recording& recording);

}  // namespace compass::cli
