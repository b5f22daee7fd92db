// SPDX-License-Identifier: MIT
#pragma once

#include <CLI/CLI.hpp>

namespace compass::cli {

/// Adds `show FILE`, which prints the normal form of an archive, or of a text that is one.
void add_show(CLI::App& app, int& exit_code);

}  // namespace compass::cli
