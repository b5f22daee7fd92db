// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "ir/base/result.h"
#include "ir/journal/file.h"
#include "ir/recording.h"

namespace compass::archive {

/// A journal and where it is from.
struct Journal {
  std::filesystem::path path;
  journal::Contents contents;
};

Result<Journal> read_journal(const std::filesystem::path& path);

/// Files as they are, and the journals of each folder by their names.
Result<std::vector<std::filesystem::path>> journal_files(
    std::span<const std::filesystem::path> paths);

/// The journals of a folder in the order in which their processes began.
Result<std::vector<std::filesystem::path>> journals_by_start(const std::filesystem::path& folder);

/// The process that wrote the journal, as far as that is known: "decoder, process 42".
std::string writer_of(const Journal& journal);

/// Notes in the recording of a journal why its recorder gave up, as its mark beside the journal
/// says. Whether it did.
bool add_stop_cause(Recording& recording, const std::filesystem::path& journal);

}  // namespace compass::archive
