// SPDX-License-Identifier: MIT
#include "cli/record.h"

#include <dlfcn.h>

#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cli/environment.h"
#include "cli/journal_folder.h"
#include "cli/output.h"
#include "cli/program_options.h"
#include "cli/run_program.h"
#include "cli/signals.h"
#include "cli/unrecorded.h"
#include "driverless/arch/arch.h"
#include "ir/archive/output_file.h"
#include "ir/archive/seal.h"

namespace compass::cli {
namespace {

constexpr int kNoHipCall = 3;
/// What a shell and the dynamic linker end with where a program cannot be started.
constexpr int kCannotStart = 127;

struct Options {
  bool driverless = false;
  Declaration declaration;
  RecorderOptions recorder;
  std::string output;
  ProgramOptions program;
};

Result<void> check_architecture(const Options& options) {
  const bool has_architecture = !options.declaration.architecture.empty();
  if (options.driverless && !has_architecture) {
    return Error{ErrorCode::kInvalid, concat("--driverless needs --arch: ", arch::list_of_names())};
  }
  if (!options.driverless && has_architecture) {
    return Error{
        ErrorCode::kInvalid,
        "--arch needs --driverless: without it the program runs on the device that is there"};
  }
  return options.driverless ? check_declaration(options.declaration) : Result<void>();
}

Result<Environment> make_environment(const Options& options,
                                     const std::filesystem::path& journal_folder) {
  Environment environment;
  if (auto ok = add_recorder(environment, options.recorder, journal_folder); !ok) {
    return std::move(ok).error();
  }
  if (!options.driverless) return environment;
  auto ok = add_driverless_runtime(environment, options.declaration);
  if (!ok) return std::move(ok).error();
  return environment;
}

/// Seals what the program left. Nothing where no process made a HIP call.
Result<std::optional<archive::SealSummary>> seal(JournalFolder& folder,
                                                 const std::filesystem::path& output) {
  Result<archive::SealSummary> summary = archive::seal({&folder.path(), 1}, output);
  if (summary) return std::optional(std::move(summary).value());
  if (summary.error().code == ErrorCode::kNotFound) return std::optional<archive::SealSummary>();
  Error error = std::move(summary).error();
  const std::filesystem::path kept = folder.keep();
  error.message +=
      concat("; the journals are kept, to try again:\n  ", archive::seal_command(kept, output));
  return error;
}

/// Whether the dynamic linker finds some HIP runtime for programs that bring none.
bool finds_runtime() {
  for (const char* name : {"libamdhip64.so", "libamdhip64.so.7", "libamdhip64.so.6"}) {
    if (::dlopen(name, RTLD_LAZY | RTLD_LOCAL) != nullptr) return true;
  }
  return false;
}

/// The exit code where the program ran but left no recording: its own, if that says anything.
int without_recording(int status) {
  if (status == 0) return kExitError;
  std::fprintf(stderr, "compass-capture: the program ended with %d\n", status);
  return status;
}

/// Why nothing was recorded, as far as that can be guessed; empty where the user knows.
std::string without_calls(const Options& options, const JournalFolder& folder,
                          const std::vector<Unrecorded>& unrecorded, int status) {
  if (folder.told_of_interface()) return {};
  if (folder.called_hip()) return no_work(options.program.program);
  const bool has_runtime = options.driverless || (status != kCannotStart && finds_runtime());
  if (has_runtime || !unrecorded.empty()) {
    return no_hip_call(options.program.program, unrecorded);
  }
  return "no HIP runtime was found here: add --driverless --arch gfx950 to record without a GPU";
}

void print_unrecorded(const std::vector<Unrecorded>& unrecorded) {
  if (unrecorded.empty()) return;
  std::fprintf(stderr, "compass-capture: ran without the recorder: %s\n",
               names_of(unrecorded).c_str());
}

void print_summary(const archive::SealSummary& summary, const std::filesystem::path& output) {
  std::fprintf(stderr, "compass-capture: recorded %s\n",
               archive::description(summary, output).c_str());
}

/// The exit code, once the program has ended with `status` and its journals are sealed.
int report(const Result<std::optional<archive::SealSummary>>& sealed, const Options& options,
           const JournalFolder& folder, const std::vector<Unrecorded>& unrecorded,
           const std::filesystem::path& output, int status) {
  if (!sealed) {
    print_error(sealed.error());
    print_unrecorded(unrecorded);
    return without_recording(status);
  }
  const std::optional<archive::SealSummary>& summary = *sealed;
  if (summary) {
    print_summary(*summary, output);
    if (summary->has_work) print_unrecorded(unrecorded);
    if (summary->has_work) return status;
  }
  const std::string stopped = folder.stop_cause();
  if (!stopped.empty()) {
    print_error({ErrorCode::kSystem, stopped});
    return without_recording(status);
  }
  const std::string why = without_calls(options, folder, unrecorded, status);
  if (!why.empty()) print_error({ErrorCode::kNotFound, why});
  return kNoHipCall;
}

/// Seals; interrupted, it leaves the journals to the user.
Result<std::optional<archive::SealSummary>> seal_unless_interrupted(
    JournalFolder& folder, const std::filesystem::path& output) {
  const std::filesystem::path journals = folder.path();
  const Interruption interruption([=] {
    remove_unfinished(output);
    std::fprintf(
        stderr, "compass-capture: interrupted; the journals are kept, to make the archive:\n  %s\n",
        archive::seal_command(journals, output).c_str());
  });
  return seal(folder, output);
}

Result<int> record(const Options& options) {
  if (auto ok = check_architecture(options); !ok) return std::move(ok).error();
  auto resolved = archive::output_file(options.output);
  if (!resolved) {
    return std::move(resolved).error().with(concat("cannot write '", options.output, "'"));
  }
  const std::filesystem::path output = std::move(resolved).value();
  const HeldSignals held;
  ASSIGN_OR_RETURN(JournalFolder folder, JournalFolder::create(output));
  ASSIGN_OR_RETURN(Environment environment, make_environment(options, folder.path()));
  ASSIGN_OR_RETURN(const int status, run_program(options.program.command, environment.pointers(),
                                                 folder.path(), held));
  const std::vector<Unrecorded> unrecorded = folder.unrecorded();
  const auto sealed = seal_unless_interrupted(folder, output);
  return report(sealed, options, folder, unrecorded, output, status);
}

int run(const CLI::App& parsed, Options& options) {
  auto taken = take_arguments(parsed, options.program);
  const Result<int> status = taken ? record(options) : Result<int>(std::move(taken).error());
  if (status) return *status;
  return print_error(status.error());
}

}  // namespace

void add_record(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<Options>();
  CLI::App* record =
      app.add_subcommand("record", "Run a program and record what it asks of the device");
  record->add_option("-o,--output", options->output, "the archive to write")->required();
  record->add_flag("--driverless", options->driverless,
                   "run without a GPU, on a declared architecture (needs --arch)");
  record->add_option("--arch", options->declaration.architecture,
                     "the declared architecture, such as gfx950");
  add_recorder_options(*record, options->recorder);
  add_program(*record, options->program, "record [OPTIONS] -o FILE");
  record->footer(
      "The recording ends when the last process ends that PROGRAM started.\n\n"
      "Exit codes: those of PROGRAM (128 + N where signal N ended it); 2 where it could not be "
      "started, or\nended with 0 and its recording could not be written; 3 where no HIP call was "
      "seen.");
  record->callback([record, options, &exit_code] { exit_code = run(*record, *options); });
}

}  // namespace compass::cli
