// SPDX-License-Identifier: MIT
#pragma once

#include <CLI/CLI.hpp>

namespace compass::cli {

/// Adds `show FILE`, which prints an archive's normal form: text for check-in and review.
void add_show(CLI::App& app, int& exit_code);

}  // namespace compass::cli
