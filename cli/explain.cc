// SPDX-License-Identifier: MIT
#include "cli/explain.h"

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "cli/checking.h"
#include "cli/output.h"
#include "cli/processes.h"
#include "driverless/gate/explanation.h"
#include "ir/archive/reader.h"
#include "ir/names.h"

namespace compass::cli {
namespace {

struct Options {
  std::string file;
  std::string id;
  std::string architecture;  // empty: the recorded one
  ProcessOption process;
};

/// The findings whose ids start so; `known` gets all ids.
std::vector<const gate::Finding*> find(const gate::Report& report, const std::string& id,
                                       std::string& known) {
  std::vector<const gate::Finding*> found;
  for (const gate::Finding& finding : report.findings) {
    known += concat(known.empty() ? "" : ", ", finding.id);
    if (finding.id.starts_with(id)) found.push_back(&finding);
  }
  return found;
}

Result<std::string> explain(const Options& options) {
  if (!options.architecture.empty()) {
    ASSIGN_OR_RETURN([[maybe_unused]] const auto* known, find_architecture(options.architecture));
  }
  ASSIGN_OR_RETURN(const archive::Archive archive, archive::Archive::open(options.file));
  ASSIGN_OR_RETURN(const std::vector<Recording> processes,
                   chosen_processes(archive, options.file, options.process));
  std::string text, known;
  for (const Recording& process : processes) {
    ASSIGN_OR_RETURN(const Recording recording, archive.recording(process.process.id));
    auto checked = check_recording(recording, archive.contents(), options.architecture);
    if (!checked) return std::move(checked).error().with(printable(options.file));
    for (const gate::Finding* finding : find(checked->report, options.id, known)) {
      if (!text.empty()) text += "\n";
      if (processes.size() > 1) text += heading(process) + "\n";
      text += gate::explanation_of(*finding, gate::Context(recording));
    }
  }
  if (!text.empty()) return text;
  return Error{ErrorCode::kNotFound,
               concat(printable(options.file), " has no finding [", printable(options.id), "]: ",
                      known.empty() ? "it has none at all" : concat("its findings are ", known))};
}

int run(const Options& options) {
  const auto text = explain(options);
  return text ? print_text(*text) : print_error(text.error());
}

}  // namespace

void add_explain(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<Options>();
  CLI::App* explain = app.add_subcommand(
      "explain", "Show how a finding came about: launch, instruction, operands, who wrote what");
  explain->add_option("FILE", options->file, "the archive that was checked")->required();
  explain
      ->add_option("ID", options->id, "the finding's id, as `check` prints it; its start will do")
      ->required();
  explain->add_option("--arch", options->architecture,
                      "architecture to run on (default: the recorded one)");
  add_process_option(*explain, options->process);
  explain->footer(R"(The recording is checked once more, so that nothing need have been kept.

Exit codes:
  0  the finding was explained
  2  there is no such finding, or the check could not be done)");
  explain->callback([options, &exit_code] { exit_code = run(*options); });
}

}  // namespace compass::cli
