// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace compass {

/// The files of this HIP runtime and of another one that the process has loaded.
struct TwoRuntimes {
  std::string self;
  std::string other;  ///< empty if there is none
};

/// Looks for another HIP runtime in this process: one of ours for another major version of HIP, or
/// AMD's.
TwoRuntimes find_other_runtime();

}  // namespace compass
