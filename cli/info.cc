// SPDX-License-Identifier: MIT
#include "cli/info.h"

#include <memory>
#include <string>

#include "cli/output.h"
#include "ir/archive/reader.h"
#include "ir/text/summary.h"

namespace compass::cli {
namespace {

Result<std::string> info(const std::string& file) {
  ASSIGN_OR_RETURN(const archive::Archive archive, archive::Archive::open(file));
  ASSIGN_OR_RETURN(const Recording recording, archive.recording());
  return concat("archive       ", file, ", ", archive.size_bytes(), " bytes\n", summary(recording));
}

int run(const std::string& file) {
  const auto text = info(file);
  return text ? print_text(*text) : print_error(text.error());
}

}  // namespace

void add_info(CLI::App& app, int& exit_code) {
  auto file = std::make_shared<std::string>();
  CLI::App* info = app.add_subcommand("info", "Tell in a page what an archive holds");
  info->add_option("FILE", *file, "the archive")->required();
  info->callback([file, &exit_code] { exit_code = run(*file); });
}

}  // namespace compass::cli
