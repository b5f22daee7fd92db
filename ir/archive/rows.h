// SPDX-License-Identifier: MIT
#pragma once

#include "ir/archive/sqlite.h"
#include "ir/base/result.h"
#include "ir/recording.h"

namespace compass::archive {

/// Fills the tables, all but the blobs. The recording is valid.
Result<void> write_rows(const Database& database, const Recording& recording);

}  // namespace compass::archive
