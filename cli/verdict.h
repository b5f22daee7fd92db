// SPDX-License-Identifier: MIT
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "cli/unrecorded.h"
#include "driverless/gate/policy.h"
#include "driverless/gate/process_report.h"
#include "ir/base/result.h"
#include "ir/recording.h"

namespace compass::cli {

/// What `check` and `run` let the user say of the report.
struct VerdictOptions {
  std::string fail_on = "error";
  std::vector<std::string> require;  ///< empty: the memory rules
  std::string allow;                 ///< a file; empty: none
  std::string baseline;              ///< the same
  std::string format = "text";
};
void add_verdict_options(CLI::App& command, VerdictOptions& options);

/// What the options ask for. Fails where they or the files that they name are wrong.
Result<gate::Policy> policy_of(const VerdictOptions& options);

/// A report to print, and how the command ends.
struct Verdict {
  std::string text;
  int exit_code = 0;
};

/// `command`: "check" or "run".
Verdict verdict_on(std::string_view command, const std::vector<gate::ProcessReport>& processes,
                   const std::vector<Unrecorded>& unrecorded, const gate::Policy& policy,
                   const VerdictOptions& options);

/// Why the recording is incomplete; empty where it is complete.
std::string incomplete_cause(const Recording& recording);

/// For --help, where the exit codes are listed.
inline constexpr const char* kExitCodes =
    R"(  0  every launch was checked, and no finding is at or above --fail-on
  1  findings at or above --fail-on (default: error; warnings alone give 0)
  2  it could not be done: a wrong option, a file that is missing or wrong, another architecture
  3  no such finding, but no pass either: no launch was made, or a launch could not
     be checked by a rule of --require, for a reason that is listed, or the recording
     is incomplete because the recorder was killed
  4  --baseline names a file that does not exist; the report is made all the same)";

}  // namespace compass::cli
