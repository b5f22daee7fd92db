// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>

#include "ir/base/result.h"

namespace compass::archive {

struct ArchiveFile {
  std::uint64_t size_bytes = 0;
  std::uint32_t version = 0;  ///< of its format
};

/// The archive at `path`, once its SQLite header says that it is one, whole and of a version that
/// can be read. Errors read as a sentence whose subject is the file.
Result<ArchiveFile> check_file(const std::filesystem::path& path);

}  // namespace compass::archive
