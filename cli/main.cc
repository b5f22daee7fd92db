// SPDX-License-Identifier: MIT
#include <fcntl.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <exception>
#include <string>

#include "cli/case.h"
#include "cli/check.h"
#include "cli/doctor.h"
#include "cli/explain.h"
#include "cli/info.h"
#include "cli/interpret.h"
#include "cli/output.h"
#include "cli/query.h"
#include "cli/record.h"
#include "cli/run.h"
#include "cli/seal.h"
#include "cli/show.h"
#include "cli/version.h"

namespace {

using compass::ErrorCode;

/// Why the command line cannot be followed.
std::string usage_error(const CLI::App& app, const CLI::ParseError& error, int argc, char** argv) {
  const std::string hint = "\nRun `compass-capture --help` for the commands.";
  if (argc < 2) return "expected a command, found none" + hint;
  const bool names_command = !app.get_subcommands().empty() || argv[1][0] == '-';
  if (!names_command) return compass::concat("unknown command '", argv[1], "'", hint);
  return error.what() + hint;
}

int run(int argc, char** argv) {
  int exit_code = 0;
  CLI::App app(
      "Records what a program asks of an AMD GPU, and runs its kernels' machine code on the CPU.",
      "compass-capture");
  app.set_version_flag("--version", compass::concat("compass-capture ", compass::cli::kVersion));
  app.require_subcommand(1);
  app.footer("`compass-capture COMMAND --help` explains a command.");
  compass::cli::add_run(app, exit_code);
  compass::cli::add_record(app, exit_code);
  compass::cli::add_interpret(app, exit_code);
  compass::cli::add_check(app, exit_code);
  compass::cli::add_explain(app, exit_code);
  compass::cli::add_case(app, exit_code);
  compass::cli::add_seal(app, exit_code);
  compass::cli::add_info(app, exit_code);
  compass::cli::add_show(app, exit_code);
  compass::cli::add_query(app, exit_code);
  compass::cli::add_doctor(app, exit_code);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == static_cast<int>(CLI::ExitCodes::Success)) return app.exit(error);
    return compass::cli::print_error({ErrorCode::kInvalid, usage_error(app, error, argc, argv)});
  }
  return exit_code;
}

/// Where one of them is closed, the next file to be opened would get its number, and what is meant
/// for the user would be written into that. The program that we run finds it closed again.
void reserve_standard_files() {
  for (int number : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(number, F_GETFD) < 0) ::open("/dev/null", O_RDONLY | O_CLOEXEC);
  }
}

}  // namespace

int main(int argc, char** argv) {
  reserve_standard_files();
  try {
    return run(argc, argv);
  } catch (const std::exception& error) {
    return compass::cli::print_error({ErrorCode::kSystem, error.what()});
  }
}
