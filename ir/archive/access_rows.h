// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "ir/archive/row_reader.h"
#include "ir/archive/sqlite.h"
#include "ir/base/result.h"
#include "ir/recording.h"

namespace compass::archive {

/// Writes what launches of the process have read and written, and loaded as indices.
/// `records_before`: how many records the archive has of other processes.
Result<void> write_accesses(const Database& database, const Recording& recording,
                            std::uint64_t records_before);

/// Reads the same for the records that `recording` has. `first_record`: the row of the process's
/// first one.
Result<void> read_accesses(const Database& database, std::uint64_t first_record, RowBudget& budget,
                           Recording& recording);

}  // namespace compass::archive
