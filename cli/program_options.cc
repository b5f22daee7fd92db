// SPDX-License-Identifier: MIT
#include "cli/program_options.h"

#include <memory>
#include <utility>

namespace compass::cli {
namespace {

/// Shows where the program goes: the parser knows of no '--'.
class UsageFormatter : public CLI::Formatter {
 public:
  explicit UsageFormatter(std::string usage) : usage_(std::move(usage)) {}
  std::string make_usage(const CLI::App*, std::string) const override {
    return concat("Usage: compass-capture ", usage_, " -- PROGRAM [ARGS]\n");
  }

 private:
  std::string usage_;
};

}  // namespace

void add_program(CLI::App& command, ProgramOptions& options, const std::string& usage) {
  command.add_option("PROGRAM", options.program, "after '--', with its arguments")->required();
  command.allow_extras();
  command.formatter(std::make_shared<UsageFormatter>(usage));
}

Result<void> take_arguments(const CLI::App& parsed, ProgramOptions& options) {
  options.command = {options.program};
  std::vector<std::string> rest = parsed.remaining();
  if (!rest.empty() && rest.front() != "--") {
    return Error{ErrorCode::kInvalid, concat("unexpected '", rest.front(),
                                             "': the program and its arguments go after '--'")};
  }
  if (!rest.empty()) rest.erase(rest.begin());
  options.command.insert(options.command.end(), rest.begin(), rest.end());
  return {};
}

}  // namespace compass::cli
