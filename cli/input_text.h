// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "ir/base/result.h"

namespace compass::cli {

/// All of a small file that the user names. kNotFound: it does not exist.
Result<std::string> read_input(const std::string& file);

}  // namespace compass::cli
