// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "cli/environment.h"

namespace compass::cli {

/// What a program said that was asked something.
struct ProgramAnswer {
  std::string output;   ///< on its standard output
  std::string failure;  ///< how it ended, where that was not with 0: "exit code 2", "no answer …"
};

/// The file that a program of this name is, by the PATH of `environment`; empty where there is
/// none.
std::string find_program(const Environment& environment, const std::string& name);

/// Runs a program that may crash or hang, with nothing on its standard input, and ends it and its
/// children after `limit_seconds`.
ProgramAnswer ask_program(const Environment& environment, std::vector<std::string> words,
                          int limit_seconds);

}  // namespace compass::cli
