// SPDX-License-Identifier: MIT
#include "cli/run.h"

#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "cli/environment.h"
#include "cli/journal_folder.h"
#include "cli/locations.h"
#include "cli/output.h"
#include "cli/processes.h"
#include "cli/program_options.h"
#include "cli/run_program.h"
#include "cli/signals.h"
#include "cli/unrecorded.h"
#include "cli/verdict.h"
#include "cli/version.h"
#include "driverless/gate/judge.h"
#include "driverless/inspection/inspector.h"
#include "ir/archive/output_file.h"
#include "ir/archive/seal.h"
#include "ir/archive/writer.h"
#include "replay/recorded_playback.h"

namespace compass::cli {
namespace {

constexpr const char* kHelp =
    R"(The program and its children, however started, find a HIP runtime that runs their
kernels on the CPU. Their output passes through; the report follows when the last of
them has ended. What ran without the recorder is listed: its launches are not checked.

A launch runs to its end inside the call or, with --copies late, inside the call that
waits for it. So a kernel that waits for the host ends only with --copies late, and one
that waits for another stream or device, while that runs, does not end.

Exit codes: 3 where no HIP call was seen; else that of PROGRAM (128 + N where signal N
ended it), where it is not 0; else
)";

/// The exit code where nothing was asked of a device.
constexpr int kNothingSeen = static_cast<int>(gate::Outcome::kUnchecked);

struct Options {
  Declaration declaration;
  RecorderOptions recorder;
  VerdictOptions verdict;
  std::string output;  ///< empty: no archive
  std::string report;  ///< empty: standard error
  ProgramOptions program;
};

/// Judges what was seen, and plays the recording again where that is not enough.
Result<gate::Report> judge(const archive::Resolved& resolved,
                           const arch::Architecture& architecture) {
  const Recording& recording = resolved.recording;
  gate::Gate gate(recording, &architecture);
  gate::tell(gate, resolved.evidence);
  const replay::RecordedPlayback playback(recording, [&](const std::string& sha256) {
    const auto found = resolved.contents.find(sha256);
    return found == resolved.contents.end()
               ? Result<Bytes>(Error{ErrorCode::kNotFound, concat("no content ", sha256)})
               : Result<Bytes>(Bytes(found->second.begin(), found->second.end()));
  });
  return inspection::inspect(gate, {gate.context(), playback, architecture, decoder_path()});
}

Result<gate::ProcessReport> report_of(const archive::Resolved& resolved, const Options& options) {
  const Recording& recording = resolved.recording;
  ASSIGN_OR_RETURN(const arch::Architecture architecture,
                   declared_architecture(options.declaration));
  ASSIGN_OR_RETURN(gate::Report report, judge(resolved, architecture));
  return gate::ProcessReport{recording.process.id.value,
                             heading(recording),
                             std::move(report),
                             {std::string(kVersion),
                              options.declaration.architecture,
                              recording.program,
                              {},
                              incomplete_cause(recording),
                              resolved.evidence.instructions},
                             !resolved.has_gaps};
}

/// Of the processes' journals, one after the other.
struct Judged {
  std::vector<gate::ProcessReport> reports;
  std::uint64_t records = 0;
  std::size_t processes = 0;  ///< with those that only made marks, which have no report
  Result<void> written;       ///< the archive, if there is to be one
};

Result<Judged> judge(const JournalFolder& folder, const Options& options,
                     const std::filesystem::path& output) {
  Judged judged;
  std::optional<archive::Writer> writer;
  const auto write = [&](const archive::Resolved& process) -> Result<void> {
    if (!writer) {
      ASSIGN_OR_RETURN(archive::Writer made, archive::Writer::create(output));
      writer.emplace(std::move(made));
    }
    judged.records += process.recording.records.size();
    return writer->add(process.recording, process.contents, process.call_sites);
  };
  const auto take = [&](const archive::Resolved& process) -> Result<void> {
    if (process.has_work) {
      ASSIGN_OR_RETURN(gate::ProcessReport report, report_of(process, options));
      judged.reports.push_back(std::move(report));
    }
    ++judged.processes;
    if (!output.empty() && judged.written) judged.written = write(process);
    return {};
  };
  auto resolved = archive::resolve_each({&folder.path(), 1}, take);
  if (!resolved) return std::move(resolved).error();
  if (writer && judged.written) judged.written = std::move(*writer).finish();
  return judged;
}

void print_archive(const Judged& judged, const std::filesystem::path& output) {
  if (output.empty() || !judged.written) return;
  const std::string of_processes =
      judged.processes == 1 ? "" : concat(" of ", judged.processes, " processes");
  std::fprintf(stderr, "compass-capture: recorded %s records%s to %s\n",
               std::to_string(judged.records).c_str(), of_processes.c_str(), output.c_str());
}

Result<void> print_report(const std::string& text, const Options& options) {
  std::FILE* const file =
      options.report.empty() ? stderr : std::fopen(options.report.c_str(), "we");
  const auto failed = [&] {
    const int cause = errno;
    return Error{ErrorCode::kSystem,
                 concat("cannot write the report to ",
                        options.report.empty() ? "standard error" : options.report, ": ",
                        std::strerror(cause))};
  };
  if (file == nullptr) return failed();
  const bool written = std::fwrite(text.data(), 1, text.size(), file) == text.size();
  const bool closed = options.report.empty() ? std::fflush(file) == 0 : std::fclose(file) == 0;
  if (!written || !closed) return failed();
  return {};
}

/// For where the exit code is not the program's, or needs a word.
void print_status(int status) {
  if (status != 0) std::fprintf(stderr, "compass-capture: the program ended with %d\n", status);
}

Result<int> report(const JournalFolder& folder, const Options& options, const gate::Policy& policy,
                   const std::filesystem::path& output, int status) {
  ASSIGN_OR_RETURN(const Judged judged, judge(folder, options, output));
  const std::vector<gate::ProcessReport>& reports = judged.reports;
  if (judged.processes != 0) print_archive(judged, output);
  const std::string stopped = folder.stop_cause();
  if (reports.empty() && !stopped.empty()) return Error{ErrorCode::kSystem, stopped};
  const std::vector<Unrecorded> unrecorded = folder.unrecorded();
  if (reports.empty() && folder.called_hip()) {
    print_error({ErrorCode::kNotFound, no_work(options.program.program)});
    return status != 0 ? status : kNothingSeen;
  }
  if (reports.empty()) {
    if (!folder.told_of_interface()) {
      print_error({ErrorCode::kNotFound, no_hip_call(options.program.program, unrecorded)});
    }
    print_status(status);
    return kNothingSeen;
  }
  const Verdict verdict = verdict_on("run", reports, unrecorded, policy, options.verdict);
  auto printed = print_report(verdict.text, options);
  if (!printed) return std::move(printed).error();
  if (!judged.written) return Error(judged.written.error());
  return status != 0 ? status : verdict.exit_code;
}

Result<std::filesystem::path> resolve_output(const Options& options) {
  if (options.output.empty()) return std::filesystem::path();
  auto resolved = archive::output_file(options.output);
  if (resolved) return std::move(resolved).value();
  return std::move(resolved).error().with(concat("cannot write '", options.output, "'"));
}

/// Fails where the report could not be written when the program has ended.
Result<void> check_report(const Options& options) {
  if (options.report.empty()) return {};
  const std::filesystem::path file = options.report;
  std::error_code failed;
  const auto cannot_write = [&](std::string_view cause) {
    return Error{ErrorCode::kSystem,
                 concat("cannot write the report to ", options.report, ": ", cause)};
  };
  if (std::filesystem::is_directory(file, failed)) return cannot_write("it is a directory");
  const bool exists = std::filesystem::exists(file, failed);
  const std::filesystem::path parent = file.has_parent_path() ? file.parent_path() : ".";
  if (::access(exists ? file.c_str() : parent.c_str(), W_OK) == 0) return {};
  return cannot_write(std::strerror(errno));
}

/// Beside the archive, if there is to be one: it may be on a larger disk.
Result<JournalFolder> make_folder(const std::filesystem::path& output) {
  if (!output.empty()) return JournalFolder::create(output);
  std::error_code failed;
  const std::filesystem::path temporary = std::filesystem::temp_directory_path(failed);
  if (!failed) return JournalFolder::create(temporary / "compass-capture");
  const char* const named = std::getenv("TMPDIR");
  return Error{ErrorCode::kSystem,
               concat("no folder for temporary files: ", named == nullptr ? "/tmp" : named, ": ",
                      failed.message())};
}

Result<Environment> make_environment(const Options& options,
                                     const std::filesystem::path& journal_folder) {
  Environment environment;
  if (auto ok = add_recorder(environment, options.recorder, journal_folder); !ok) {
    return std::move(ok).error();
  }
  auto ok = add_driverless_runtime(environment, options.declaration);
  if (!ok) return std::move(ok).error();
  environment.set("COMPASS_LIVE", "1");
  return environment;
}

/// Interrupted, it leaves nothing.
Result<int> report_unless_interrupted(const JournalFolder& folder, const Options& options,
                                      const gate::Policy& policy,
                                      const std::filesystem::path& output, int status) {
  const Interruption interruption([&] {
    std::error_code ignored;
    if (!output.empty()) remove_unfinished(output);
    std::filesystem::remove_all(folder.path(), ignored);
    std::fputs("compass-capture: interrupted, there is no report\n", stderr);
  });
  return report(folder, options, policy, output, status);
}

/// Fails where the report would take the archive's place.
Result<void> check_distinct(const Options& options, const std::filesystem::path& output) {
  std::error_code failed;
  const auto absolute = [&](const std::filesystem::path& path) {
    return std::filesystem::weakly_canonical(path, failed);
  };
  if (options.report.empty() || output.empty()) return {};
  if (absolute(options.report) != absolute(output)) return {};
  return Error{ErrorCode::kInvalid,
               concat("--report and --output name one file, ", options.report,
                      ": expected one for the report and one for the archive")};
}

Result<int> run(const Options& options) {
  if (auto ok = check_declaration(options.declaration); !ok) return std::move(ok).error();
  if (auto ok = check_report(options); !ok) return std::move(ok).error();
  ASSIGN_OR_RETURN(const gate::Policy policy, policy_of(options.verdict));
  ASSIGN_OR_RETURN(const std::filesystem::path output, resolve_output(options));
  if (auto ok = check_distinct(options, output); !ok) return std::move(ok).error();
  const HeldSignals held;
  ASSIGN_OR_RETURN(const JournalFolder folder, make_folder(output));
  ASSIGN_OR_RETURN(Environment environment, make_environment(options, folder.path()));
  ASSIGN_OR_RETURN(const int status, run_program(options.program.command, environment.pointers(),
                                                 folder.path(), held));
  const Result<int> code = report_unless_interrupted(folder, options, policy, output, status);
  if (code) return *code;
  print_error(code.error());
  print_status(status);
  return status == 0 ? kExitError : status;
}

int run_parsed(const CLI::App& parsed, Options& options) {
  auto taken = take_arguments(parsed, options.program);
  const Result<int> code = taken ? run(options) : Result<int>(std::move(taken).error());
  return code ? *code : print_error(code.error());
}

}  // namespace

void add_run(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<Options>();
  CLI::App* run = app.add_subcommand(
      "run", "Run a program without a GPU, and judge every access of its launches by the rules");
  run->add_option("--arch", options->declaration.architecture,
                  "the declared architecture, such as gfx950")
      ->required();
  run->add_option("--set", options->declaration.settings,
                  "change one number of the architecture, as in memory=8GiB; may be repeated")
      ->take_all()
      ->allow_extra_args(false);
  run->add_option("--devices", options->declaration.devices, "how many devices there are")
      ->default_str("1");
  run->add_option("--copies", options->declaration.copies,
                  "when asynchronous work runs: at once, or as late as the host waits for it")
      ->check(CLI::IsMember({"early", "late"}))
      ->capture_default_str();
  run->add_option("-o,--output", options->output,
                  "also write an archive of all processes, as `record` does");
  run->add_option("--report", options->report,
                  "the file for the report (default: standard error, after the program's own)");
  add_recorder_options(*run, options->recorder);
  add_verdict_options(*run, options->verdict);
  add_program(*run, options->program, "run [OPTIONS] --arch ARCH");
  run->footer(concat(kHelp, kExitCodes));
  run->callback([run, options, &exit_code] { exit_code = run_parsed(*run, *options); });
}

}  // namespace compass::cli
