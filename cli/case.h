// SPDX-License-Identifier: MIT
#pragma once

#include <CLI/CLI.hpp>

namespace compass::cli {

/// Adds `case DIR…`, which runs launches with given inputs and compares what they compute.
void add_case(CLI::App& app, int& exit_code);

}  // namespace compass::cli
