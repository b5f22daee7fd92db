// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "ir/base/result.h"

namespace compass::cli {

/// All of a file that the user names, of at most 256 MiB. kNotFound: it does not exist.
Result<std::string> read_input(const std::string& file);

}  // namespace compass::cli
