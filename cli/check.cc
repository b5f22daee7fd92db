// SPDX-License-Identifier: MIT
#include "cli/check.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "cli/checking.h"
#include "cli/output.h"
#include "cli/processes.h"
#include "cli/verdict.h"
#include "driverless/gate/process_report.h"
#include "ir/archive/reader.h"
#include "ir/names.h"

namespace compass::cli {
namespace {

struct Options {
  std::string file;
  std::string architecture;  // empty: the recorded one
  ProcessOption process;
  VerdictOptions verdict;
};

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
