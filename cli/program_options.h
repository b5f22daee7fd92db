// SPDX-License-Identifier: MIT
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "ir/base/result.h"

namespace compass::cli {

/// The program that a command runs, and its arguments.
struct ProgramOptions {
  std::string program;
  std::vector<std::string> command;  ///< once take_arguments() has been called
};

/// Lets `command` take a program and its arguments after '--'. `usage` is what its help shows
/// before that.
void add_program(CLI::App& command, ProgramOptions& options, const std::string& usage);

/// The program's arguments are what the parser left alone: as values of an option of ours it would
/// change some of them ("[a,b]").
Result<void> take_arguments(const CLI::App& parsed, ProgramOptions& options);

}  // namespace compass::cli
