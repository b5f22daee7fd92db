// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>

#include "ir/archive/file_header.h"
#include "ir/archive/sqlite.h"

namespace compass::archive {

/// An archive's database, open for reading.
struct CheckedFile {
  ArchiveFile file;
  Database database;
};

/// Takes any file: what is no archive of a version that can be read is an error that names it.
Result<CheckedFile> open_checked(const std::filesystem::path& path);

}  // namespace compass::archive
