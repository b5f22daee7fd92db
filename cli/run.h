// SPDX-License-Identifier: MIT
#pragma once

#include <CLI/CLI.hpp>

namespace compass::cli {

/// Adds `compass-capture run`.
void add_run(CLI::App& app, int& exit_code);

}  // namespace compass::cli
