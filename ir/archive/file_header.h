// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>

#include "ir/base/result.h"

namespace compass::archive {

/// The size of the archive at `path`, once its SQLite header says that it is one, whole and of a
/// version that can be read. Errors read as a sentence whose subject is the file.
Result<std::uint64_t> check_file(const std::filesystem::path& path);

}  // namespace compass::archive
