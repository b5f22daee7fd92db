// SPDX-License-Identifier: MIT
#include "cli/processes.h"

#include <utility>

#include "ir/names.h"

namespace compass::cli {

void add_process_option(CLI::App& command, ProcessOption& option) {
  command
      .add_option("--process", option.process,
                  "only this process of the archive, by its number from 1")
      ->check(CLI::PositiveNumber);
}

Result<std::vector<Recording>> chosen_processes(const archive::Archive& archive,
                                                const std::string& file,
                                                const ProcessOption& option) {
  ASSIGN_OR_RETURN(std::vector<Recording> all, archive.processes());
  if (option.process == 0) return all;
  if (option.process > all.size()) {
    return Error{ErrorCode::kNotFound, concat(printable(file), " has no process ", option.process,
                                              ": it has ", all.size())};
  }
  return std::vector<Recording>{std::move(all[option.process - 1])};
}

std::string heading(const Recording& process) {
  const std::string rank =
      process.process.rank ? concat(" rank ", *process.process.rank) : std::string();
  return concat("process ", process.process.id.value, rank, ' ', printable(process.program));
}

}  // namespace compass::cli
