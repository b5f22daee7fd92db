// SPDX-License-Identifier: MIT
#include "cli/check.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "cli/locations.h"
#include "cli/output.h"
#include "cli/processes.h"
#include "cli/verdict.h"
#include "cli/version.h"
#include "driverless/arch/arch.h"
#include "driverless/backend.h"
#include "driverless/gate/gate.h"
#include "driverless/gate/process_report.h"
#include "ir/archive/reader.h"
#include "ir/archive/resolve.h"
#include "ir/names.h"
#include "replay/player.h"
#include "replay/processors.h"

namespace compass::cli {
namespace {

struct Options {
  std::string file;
  std::string architecture;  // empty: the recorded one
  ProcessOption process;
  VerdictOptions verdict;
};

/// Tells the gate of nodes and of calls that failed, and says how far the work is, on a terminal
/// only.
class Progress : public replay::PlayObserver {
 public:
  Progress(std::uint64_t records, gate::Gate& gate) : records_(records), gate_(gate) {}
  ~Progress() override {
    if (shown_ != kNothing) std::fputs("\r\033[K", stderr);
  }

  void on_node(const Record& record, const Record& node) override { gate_.on_node(record, node); }
  void on_failed(const Record& record) override { gate_.on_failed_call(record); }
  void on_record(const Record& record) override {
    const std::uint64_t percent = record.sequence * 100 / records_;
    if (!is_terminal_ || percent == shown_) return;
    shown_ = percent;
    std::fprintf(stderr, "\rchecking: %3u %%", static_cast<unsigned>(percent));
  }

 private:
  static constexpr std::uint64_t kNothing = ~std::uint64_t{0};
  std::uint64_t records_;
  gate::Gate& gate_;
  bool is_terminal_ = isatty(STDERR_FILENO) != 0;
  std::uint64_t shown_ = kNothing;
};

Result<const arch::Architecture*> find_architecture(const std::string& name) {
  const arch::Architecture* found = arch::find(name);
  if (found != nullptr) return found;
  return Error{ErrorCode::kInvalid,
               concat("unknown architecture '", name, "': expected ", arch::list_of_names())};
}

/// The recording names its architecture as HIP does: "gfx950:sramecc+:xnack-".
std::string processor_of(const Device& device) {
  return device.architecture.substr(0, device.architecture.find(':'));
}

/// Whether it is of a process that only made marks, as a scheduler's: it has no device either.
bool has_only_marks(const Recording& recording) {
  return std::none_of(recording.records.begin(), recording.records.end(), &archive::is_work);
}

gate::ProcessReport report_on(const Recording& recording, gate::Gate& gate,
                              std::string_view architecture) {
  return {recording.process.id.value,
          heading(recording),
          gate.report(),
          {std::string(kVersion), std::string(architecture), recording.program,
           processor_of(recording.device), incomplete_cause(recording)},
          recording.complete};
}

Result<gate::ProcessReport> check_recording(const Recording& recording,
                                            const ContentSource& contents,
                                            const std::string& asked_architecture) {
  gate::Gate gate(recording);
  if (has_only_marks(recording)) return report_on(recording, gate, asked_architecture);
  const std::string recorded = processor_of(recording.device);
  ASSIGN_OR_RETURN(const arch::Architecture* const architecture,
                   find_architecture(asked_architecture.empty() ? recorded : asked_architecture));
  if (auto ok = replay::check_processor(recording, architecture->name); !ok) {
    return std::move(ok).error();
  }
  DriverlessBackend backend(*architecture, decoder_path(), gate);
  replay::Player player(recording, contents, backend);
  {
    Progress progress(recording.records.size(), gate);
    auto played = player.play(progress);
    if (!played) return std::move(played).error();
  }
  return report_on(recording, gate, architecture->name);
}

Result<std::vector<gate::ProcessReport>> check(const Options& options) {
  if (!options.architecture.empty()) {  // a wrong option is said before a wrong file
    ASSIGN_OR_RETURN([[maybe_unused]] const auto* known, find_architecture(options.architecture));
  }
  ASSIGN_OR_RETURN(const archive::Archive archive, archive::Archive::open(options.file));
  ASSIGN_OR_RETURN(const std::vector<Recording> processes,
                   chosen_processes(archive, options.file, options.process));
  std::vector<gate::ProcessReport> reports;
  const std::string file = printable(options.file);
  for (const Recording& process : processes) {
    ASSIGN_OR_RETURN(const Recording recording, archive.recording(process.process.id));
    auto report = check_recording(recording, archive.contents(), options.architecture);
    if (!report) {
      return std::move(report).error().with(
          processes.size() == 1 ? file : concat(file, ": ", heading(process)));
    }
    reports.push_back(std::move(*report));
  }
  return reports;
}

Result<Verdict> judge(const Options& options) {
  ASSIGN_OR_RETURN(gate::Policy policy, policy_of(options.verdict));
  policy.is_of_a_part = options.process.process != 0;
  ASSIGN_OR_RETURN(const std::vector<gate::ProcessReport> reports, check(options));
  return verdict_on("check", reports, {}, policy, options.verdict);
}

int run(const Options& options) {
  const auto verdict = judge(options);
  if (!verdict) return print_error(verdict.error());
  const int unprinted = print_text(verdict->text);
  return unprinted != 0 ? unprinted : verdict->exit_code;
}

}  // namespace

void add_check(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<Options>();
  CLI::App* check = app.add_subcommand(
      "check", "Run the recorded kernels on the CPU and judge every access by the rules");
  check->add_option("FILE", options->file, "the archive to check")->required();
  check->add_option("--arch", options->architecture,
                    "architecture to run on (default: the recorded one)");
  add_process_option(*check, options->process);
  add_verdict_options(*check, options->verdict);
  check->footer(concat("Exit codes:\n", kExitCodes));
  check->callback([options, &exit_code] { exit_code = run(*options); });
}

}  // namespace compass::cli
