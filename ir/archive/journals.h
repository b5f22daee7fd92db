// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
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

/// A journal, and what its process said of itself as it began.
struct StartedJournal {
  std::filesystem::path path;
  journal::Start start;
};

/// Each of the journals once, also where one is given twice or a copy of it: those of processes
/// without a rank in the order in which they began, then the others by their ranks and, those of
/// one rank, as they began. Ranks of one job begin in no order that would be the next time's.
std::vector<StartedJournal> in_order(const std::vector<std::filesystem::path>& journals);

/// Numbers the processes of an archive. Journals in one folder are of one machine, where a process
/// id means something.
class Family {
 public:
  explicit Family(const std::vector<StartedJournal>& journals)
      : journals_(journals), ids_(journals.size()) {}

  /// Of the process whose journal is at `index`: the next number, and who it is.
  ProcessInfo take(std::size_t index);

 private:
  ProcessId parent_of(std::size_t index) const;

  const std::vector<StartedJournal>& journals_;
  std::vector<ProcessId> ids_;  ///< by index; 0: none
  std::uint32_t count_ = 0;
};

/// The process that wrote the journal, as far as that is known: "decoder, process 42".
std::string writer_of(const Journal& journal);

/// Notes in the recording of a journal why its recorder gave up, as its mark beside the journal
/// says. Whether it did.
bool add_stop_cause(Recording& recording, const std::filesystem::path& journal);

}  // namespace compass::archive
