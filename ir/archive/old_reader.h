// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "ir/archive/sqlite.h"
#include "ir/base/result.h"
#include "ir/recording.h"

namespace compass::archive {

/// What describes the one process of an archive of a version before kFirstWithProcesses.
Result<Recording> read_old_process(const Database& database);

/// The recording in an archive of a version before kFirstWithProcesses, in a file of that size.
Result<Recording> read_old_recording(const Database& database, std::uint64_t file_bytes);

}  // namespace compass::archive
