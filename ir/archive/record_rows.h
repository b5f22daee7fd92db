// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

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

/// What the records of a process say of other things, so that nobody needs to read them for it.
/// Records are numbered in the process; 0: none.
struct Lifetime {
  std::uint64_t allocated_by = 0;
  std::uint64_t freed_by = 0;
};
struct StepTally {
  std::uint64_t launches = 0;
  std::uint64_t first_record = 0;
  std::uint64_t last_record = 0;
};
struct KindTally {
  std::uint64_t records = 0;
  std::uint64_t failed = 0;
};
struct Tally {
  std::vector<std::uint64_t> launches;  ///< made of each distinct launch, by graphs too
  std::vector<Lifetime> lifetimes;      ///< of allocations
  std::vector<StepTally> steps;
  std::vector<KindTally> kinds;  ///< by place in RecordBody
};

/// Fills the table of kinds, once in an archive.
Result<void> write_record_kinds(const Database& database);

/// Writes the records of a process, and what belongs to each.
Result<Tally> write_records(const Database& database, const Recording& recording,
                            RowCount& written);

/// How many of its arguments are pointers.
std::size_t pointers_of(const Launch& launch);

}  // namespace compass::archive
