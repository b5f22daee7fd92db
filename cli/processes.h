// SPDX-License-Identifier: MIT
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <string>
#include <vector>

#include "ir/archive/reader.h"
#include "ir/base/result.h"
#include "ir/recording.h"

namespace compass::cli {

/// Of an archive's processes, those that a command is about.
struct ProcessOption {
  std::uint32_t process = 0;  ///< 0: all
};

void add_process_option(CLI::App& command, ProcessOption& option);

/// What describes each of them, by their ids; at least one. `file`: what the archive is called.
Result<std::vector<Recording>> chosen_processes(const archive::Archive& archive,
                                                const std::string& file,
                                                const ProcessOption& option);

/// What stands above a part about one of several: "process 2 rank 1 tiny_decoder".
std::string heading(const Recording& process);

}  // namespace compass::cli
