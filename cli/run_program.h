// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "cli/signals.h"
#include "ir/base/result.h"

namespace compass::cli {

/// Runs a program to its end, and to that of all processes that it leaves behind; its exit status,
/// 128 + the signal where one killed it. Signals that the user sends us go to the program
/// meanwhile. `words` are the program, looked for as a shell does, and its arguments; `environment`
/// is as exec takes it. A mark in `journal_folder` says where the program itself cannot load the
/// recorder.
Result<int> run_program(std::vector<std::string> words, std::vector<char*> environment,
                        const std::filesystem::path& journal_folder, const HeldSignals& held);

}  // namespace compass::cli
