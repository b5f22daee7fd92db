// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "ir/archive/reader.h"
#include "ir/archive/sqlite.h"
#include "ir/base/result.h"
#include "ir/recording.h"

/// Reads archives that hold processes: those of format 3 and later. Private to this folder.
namespace compass::archive {

struct ProcessRow {
  Recording recording;             ///< of which only what describes the process is there
  std::uint64_t first_record = 1;  ///< the row of its record 1
  std::uint64_t records = 0;
  std::size_t processes = 1;  ///< that the archive has
  std::uint32_t format = 0;   ///< of the archive
};

/// In the order of their ids, of which there are no gaps. `format`: the archive's.
Result<std::vector<ProcessRow>> read_process_rows(const Database& database,
                                                  std::uint64_t file_bytes, std::uint32_t format);

/// The process with all of its records or, where `steps` are given, with theirs and the frees
/// before them.
Result<Recording> read_process(const Database& database, const ProcessRow& row,
                               const std::optional<StepSpan>& steps, std::uint64_t file_bytes);

/// The process without its records.
Result<Outline> read_process_outline(const Database& database, const ProcessRow& row,
                                     std::uint64_t file_bytes);

}  // namespace compass::archive
