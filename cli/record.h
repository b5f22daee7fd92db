// SPDX-License-Identifier: MIT
#pragma once

#include <CLI/CLI.hpp>

namespace compass::cli {

/// Adds `record -o FILE -- PROGRAM ARGS…`, which runs a program and keeps what it asks of the
/// device.
void add_record(CLI::App& app, int& exit_code);

}  // namespace compass::cli
