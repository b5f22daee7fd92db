// SPDX-License-Identifier: MIT
#pragma once

#include <CLI/CLI.hpp>

namespace compass::cli {

/// Adds `doctor`, which tells what this machine has, or with `--driverless` what every way to ask
/// says of the declared device.
void add_doctor(CLI::App& app, int& exit_code);

}  // namespace compass::cli
