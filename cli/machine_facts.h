// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "cli/environment.h"

namespace compass::cli {

/// Something that this machine has, or has not.
struct MachineFact {
  std::string what;
  std::string found;
  std::string meaning;    ///< what follows for the user; may be empty
  bool is_wrong = false;  ///< a part of ours that is missing or does not run
};

/// Everything that matters to us: HIP, devices, our parts, LLVM, userfaultfd, limits. A HIP runtime
/// is asked in a process of its own, which has `limit_seconds`.
std::vector<MachineFact> find_machine_facts(const Environment& environment, int limit_seconds);

}  // namespace compass::cli
