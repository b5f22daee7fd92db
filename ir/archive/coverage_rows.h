// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "ir/archive/row_reader.h"
#include "ir/archive/sqlite.h"
#include "ir/base/result.h"
#include "ir/recording.h"

/// What an interpretation has covered, in the archive. Private to this folder.
namespace compass::archive {

/// Nothing where the recording was not interpreted. `records_before`: how many records the archive
/// has of other processes.
Result<void> write_coverage(const Database& database, const Recording& recording,
                            std::uint64_t records_before);

/// Reads the same. `first_record`: the row of the process's first one; `records`: how many it has.
Result<void> read_coverage(const Database& database, std::uint64_t first_record,
                           std::uint64_t records, RowBudget& budget, Recording& recording);

}  // namespace compass::archive
