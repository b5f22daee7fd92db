// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>

#include "ir/archive/sqlite.h"
#include "ir/base/result.h"
#include "ir/recording.h"

namespace compass::archive {

/// Rows that are numbered through an archive, whatever the process.
struct RowCount {
  std::uint64_t records = 0;
  std::uint64_t contexts = 0;
  std::uint64_t lists = 0;  ///< of replayed launches
};

/// Fills the table of kinds, once in an archive.
Result<void> write_record_kinds(const Database& database);

/// Writes the records of a process, and what belongs to each.
Result<void> write_records(const Database& database, const Recording& recording, RowCount& written);

/// How many of its arguments are pointers.
std::size_t pointers_of(const Launch& launch);

}  // namespace compass::archive
