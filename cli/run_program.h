// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "ir/base/result.h"

namespace compass::cli {

/// Runs a program to its end; its exit status, 128 + the signal where one killed it. Signals that
/// the user sends us go to the program meanwhile. `words` are the program, looked for as a shell
/// does, and its arguments; `environment` is as exec takes it.
Result<int> run_program(std::vector<std::string> words, std::vector<char*> environment);

}  // namespace compass::cli
