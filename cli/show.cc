// SPDX-License-Identifier: MIT
#include "cli/show.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "cli/output.h"
#include "ir/archive/reader.h"
#include "ir/names.h"
#include "ir/text/normal_form.h"

namespace compass::cli {
namespace {

struct Options {
  std::string file;
  std::optional<std::uint32_t> step;
};

Result<std::string> show(const Options& options) {
  ASSIGN_OR_RETURN(const archive::Archive archive, archive::Archive::open(options.file));
  ASSIGN_OR_RETURN(const Recording recording, archive.recording());
  if (!options.step) return normal_form(recording);
  if (*options.step == 0 || *options.step > recording.steps.size()) {
    return Error{ErrorCode::kNotFound,
                 concat(printable(options.file), " has no step ", *options.step, ": it has ",
                        recording.steps.size(), " steps")};
  }
  return normal_form(recording, {StepId{*options.step}});
}

int run(const Options& options) {
  const auto text = show(options);
  return text ? print_text(*text) : print_error(text.error());
}

}  // namespace

void add_show(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<Options>();
  CLI::App* show =
      app.add_subcommand("show", "Print an archive's normal form, for check-in and review");
  show->add_option("FILE", options->file, "the archive")->required();
  show->add_option("--step", options->step, "only this step, by its number from 1")
      ->transform([](const std::string& number) {  // the parser takes a leading 0 for octal
        return number.substr(std::min(number.find_first_not_of('0'), number.size() - 1));
      });
  show->callback([options, &exit_code] { exit_code = run(*options); });
}

}  // namespace compass::cli
