// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "ir/archive/row_reader.h"
#include "ir/archive/sqlite.h"
#include "ir/base/result.h"
#include "ir/call_site.h"
#include "ir/recording.h"

/// Call sites in the archive. Private to this folder.
namespace compass::archive {

/// Those of a process; `records_before` rows of records are other processes'.
Result<void> write_call_sites(const Database& database, ProcessId process,
                              const RecordedCallSites& call_sites, std::uint64_t records_before);

/// Reads the same. `first_record`: the row of the process's first of `records`.
Result<RecordedCallSites> read_call_sites(const Database& database, ProcessId process,
                                          std::uint64_t first_record, std::uint64_t records,
                                          RowBudget& budget);

}  // namespace compass::archive
