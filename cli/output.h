// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string_view>

#include "ir/base/result.h"

namespace compass::cli {

/// The exit code where a command could not do its work.
inline constexpr int kExitError = 2;

/// Says on standard error why a command ends; the exit code for that.
int print_error(const Error& error);

/// Removes what archive::write() has begun beside `output`, of which nobody else knows the name.
void remove_unfinished(const std::filesystem::path& output);

/// Writes all of `text` to standard output; the exit code. A reader that has seen enough, such as
/// `head`, is no error.
int print_text(std::string_view text);

}  // namespace compass::cli
