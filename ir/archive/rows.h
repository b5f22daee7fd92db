// SPDX-License-Identifier: MIT
#pragma once

#include "ir/archive/record_rows.h"
#include "ir/archive/sqlite.h"
#include "ir/base/result.h"
#include "ir/recording.h"

namespace compass::archive {

/// Writes the rows of one process, all but the blobs, and adds to `written` those that are counted
/// through the archive. The recording is valid, and of a process that has no rows yet.
Result<void> write_recording(const Database& database, const Recording& recording,
                             RowCount& written);

}  // namespace compass::archive
