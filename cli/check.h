// SPDX-License-Identifier: MIT
#pragma once

#include <CLI/CLI.hpp>

namespace compass::cli {

/// Adds `check FILE`, which plays an archive on the CPU and judges it by the rules.
void add_check(CLI::App& app, int& exit_code);

}  // namespace compass::cli
