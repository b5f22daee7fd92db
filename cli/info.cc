// SPDX-License-Identifier: MIT
#include "cli/info.h"

#include <memory>
#include <string>
#include <vector>

#include "cli/output.h"
#include "cli/processes.h"
#include "ir/archive/reader.h"
#include "ir/text/summary.h"

namespace compass::cli {
namespace {

struct Options {
  std::string file;
  ProcessOption process;
};

Result<std::string> info(const Options& options) {
  ASSIGN_OR_RETURN(const archive::Archive archive, archive::Archive::open(options.file));
  ASSIGN_OR_RETURN(const std::vector<Recording> processes,
                   chosen_processes(archive, options.file, options.process));
  std::string text = concat("archive       ", options.file, ", ", archive.size_bytes(), " bytes\n");
  for (const Recording& process : processes) {
    if (processes.size() > 1) text += concat('\n', heading(process), '\n');
    ASSIGN_OR_RETURN(const Recording recording, archive.recording(process.process.id));
    text += summary(recording);
  }
  return text;
}

int run(const Options& options) {
  const auto text = info(options);
  return text ? print_text(*text) : print_error(text.error());
}

}  // namespace

void add_info(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<Options>();
  CLI::App* info = app.add_subcommand("info", "Tell in a page what an archive holds");
  info->add_option("FILE", options->file, "the archive")->required();
  add_process_option(*info, options->process);
  info->callback([options, &exit_code] { exit_code = run(*options); });
}

}  // namespace compass::cli
