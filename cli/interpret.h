// SPDX-License-Identifier: MIT
#pragma once

#include <CLI/CLI.hpp>

namespace compass::cli {

void add_interpret(CLI::App& app, int& exit_code);

}  // namespace compass::cli
