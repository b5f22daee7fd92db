// SPDX-License-Identifier: MIT
#pragma once

#include <CLI/CLI.hpp>

namespace compass::cli {

/// Adds `info FILE`, which tells in a page what an archive holds.
void add_info(CLI::App& app, int& exit_code);

}  // namespace compass::cli
