// SPDX-License-Identifier: MIT
#include "cli/seal.h"

#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "cli/output.h"
#include "ir/archive/seal.h"

namespace compass::cli {
namespace {

struct Options {
  std::vector<std::filesystem::path> journals;
  std::string output;
};

int run(const Options& options) {
  const auto sealed = archive::seal(options.journals, options.output);
  if (!sealed) return print_error(sealed.error());
  std::fprintf(stderr, "compass-capture: sealed %s\n",
               archive::description(*sealed, options.output).c_str());
  return 0;
}

}  // namespace

void add_seal(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<Options>();
  CLI::App* seal =
      app.add_subcommand("seal", "Make an archive of the journals that a killed `record` left");
  seal->add_option("JOURNAL", options->journals,
                   "what the recorded processes wrote, or the folder OUT.journal-XXXXXX beside "
                   "`record`'s output OUT that holds it")
      ->required();
  seal->add_option("-o,--output", options->output, "the archive to write")->required();
  seal->callback([options, &exit_code] { exit_code = run(*options); });
}

}  // namespace compass::cli
