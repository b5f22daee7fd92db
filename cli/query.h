// SPDX-License-Identifier: MIT
#pragma once

#include <CLI/CLI.hpp>

namespace compass::cli {

/// compass-capture query FILE [SQL]
void add_query(CLI::App& app, int& exit_code);

}  // namespace compass::cli
