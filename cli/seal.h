// SPDX-License-Identifier: MIT
#pragma once

#include <CLI/CLI.hpp>

namespace compass::cli {

/// Adds `seal JOURNAL… -o FILE`, which does what `record` does at its end: for one that was killed.
void add_seal(CLI::App& app, int& exit_code);

}  // namespace compass::cli
