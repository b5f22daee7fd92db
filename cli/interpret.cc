// SPDX-License-Identifier: MIT
#include "cli/interpret.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "cli/checking.h"
#include "cli/interpret_report.h"
#include "cli/locations.h"
#include "cli/output.h"
#include "cli/processes.h"
#include "cli/progress.h"
#include "cli/verdict.h"
#include "cli/version.h"
#include "driverless/inspection/interpretation.h"
#include "ir/archive/reader.h"
#include "ir/archive/rewrite.h"
#include "ir/names.h"
#include "replay/recorded_playback.h"

namespace compass::cli {
namespace {

struct Options {
  std::string file;
  std::string output;        // empty: the file itself
  std::string architecture;  // empty: the recorded one
  std::string format = "text";
};

Result<inspection::Interpretation> interpret_one(const Recording& recording,
                                                 const ContentSource& contents,
                                                 const std::string& asked_architecture) {
  const std::string recorded = processor_of(recording.device);
  ASSIGN_OR_RETURN(const arch::Architecture* const architecture,
                   find_architecture(asked_architecture.empty() ? recorded : asked_architecture));
  const gate::Context context(recording, architecture);
  const replay::RecordedPlayback playback(recording, contents);
  Progress progress("interpreting", recording.records.size());
  return inspection::interpret({context, playback, *architecture, decoder_path()},
                               [&](const Record& record) { progress.at(record.sequence); });
}

/// What was interpreted goes into the recording; where nothing was, what it knows already stays.
Result<void> add_interpretation(Recording& recording, const ContentSource& contents,
                                const Options& options, InterpretReport& report) {
  InterpretedProcess& process = report.processes.emplace_back();
  process.number = recording.process.id.value;
  process.heading = heading(recording);
  if (!recording.complete) process.incomplete_cause = incomplete_cause(recording);
  process.has_work = !has_only_marks(recording);
  if (!process.has_work) return {};
  ASSIGN_OR_RETURN(process.made, interpret_one(recording, contents, options.architecture));
  inspection::Interpretation& made = process.made;
  if (made.coverage.interpreted() == 0 && recording.coverage) return {};
  made.joined.interpreter = concat("compass-capture ", kVersion);
  recording.coverage = made.joined;
  recording.access_summaries = std::move(made.access_summaries);
  recording.launch_accesses = std::move(made.launch_accesses);
  return {};
}

Result<InterpretReport> interpret(const Options& options) {
  if (!options.architecture.empty()) {  // a wrong option is said before a wrong file
    ASSIGN_OR_RETURN([[maybe_unused]] const auto* known, find_architecture(options.architecture));
  }
  ASSIGN_OR_RETURN(const archive::Archive archive, archive::Archive::open(options.file));
  InterpretReport report{options.file, options.output.empty() ? options.file : options.output, {}};
  const ContentSource contents = archive.contents();
  auto written = archive::rewrite(archive, report.output, [&](Recording& recording) {
    auto added = add_interpretation(recording, contents, options, report);
    if (added) return added;
    return Result<void>(std::move(added).error().with(printable(options.file)));
  });
  if (!written) return std::move(written).error();
  return report;
}

int run(const Options& options) {
  const auto report = interpret(options);
  if (!report) return print_error(report.error());
  const int unprinted = print_text(options.format == "json" ? to_json(*report) : to_text(*report));
  return unprinted != 0 ? unprinted : exit_code_of(*report);
}

}  // namespace

void add_interpret(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<Options>();
  CLI::App* interpret = app.add_subcommand(
      "interpret", "Run the recorded kernels on the CPU; add to the archive what they access");
  interpret->add_option("FILE", options->file, "the archive")->required();
  interpret->add_option("-o,--output", options->output,
                        "write there, and leave FILE as it is (default: replace FILE)");
  interpret->add_option("--arch", options->architecture,
                        "architecture to run on (default: the recorded one)");
  interpret->add_option("--format", options->format, "how to print what was done")
      ->check(CLI::IsMember({"text", "json"}))
      ->capture_default_str();
  interpret->footer(
      R"(What each launch reads and writes, which launches were interpreted, and on what that
rests goes into the archive. What was recorded stays, and is compared with: accesses,
and each result that came to the host. FILE is replaced once all is written.

Exit codes:
  0  every launch was interpreted, and nothing differs from what was recorded
  1  accesses or results differ from what was recorded
  2  it could not be done; the archive is as it was
  3  a launch was not interpreted, there is none, or the recording is incomplete)");
  interpret->callback([options, &exit_code] { exit_code = run(*options); });
}

}  // namespace compass::cli
