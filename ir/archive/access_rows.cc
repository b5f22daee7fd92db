// SPDX-License-Identifier: MIT
#include "ir/archive/access_rows.h"

#include <algorithm>
#include <string_view>

#include "ir/archive/message.h"

namespace compass::archive {
namespace {

/// Numbers what belongs to the same launch, as one node that runs several times.
class Ordinals {
 public:
  std::uint64_t next(std::uint64_t record, std::uint64_t node) {
    ordinal_ = record == record_ && node == node_ ? ordinal_ + 1 : 0;
    record_ = record;
    node_ = node;
    return ordinal_;
  }

 private:
  std::uint64_t record_ = 0, node_ = 0, ordinal_ = 0;
};

/// Records are numbered through the archive in its rows; 0 is none.
struct RowNumbers {
  std::uint64_t before = 0;
  std::uint64_t row_of(std::uint64_t sequence) const {
    return sequence == 0 ? 0 : before + sequence;
  }
  std::uint64_t sequence_of(std::uint64_t row) const { return row == 0 ? 0 : row - before; }
};

/// Writes the runs of one summary, one after the other.
struct RunWriter {
  Statement& insert;
  std::uint64_t process = 0, summary = 0, ordinal = 0;

  Result<void> write(AllocationId allocation, std::string_view mode, const AccessRuns& runs);
};

Result<void> RunWriter::write(AllocationId allocation, std::string_view mode,
                              const AccessRuns& runs) {
  for (const AccessRun& run : runs) {
    insert.bind(0, process)
        .bind(1, summary)
        .bind(2, ++ordinal)
        .bind(3, allocation.value)
        .bind(4, mode)
        .bind(5, run.first)
        .bind(6, run.size_bytes)
        .bind(7, run.stride_bytes)
        .bind(8, run.count);
    if (auto ok = insert.run(); !ok) return ok;
  }
  return {};
}

Result<void> write_summaries(const Database& database, const Recording& recording) {
  const std::uint64_t process = recording.process.id.value;
  ASSIGN_OR_RETURN(Statement insert,
                   database.prepare("INSERT INTO access_summary VALUES (?, ?, ?)"));
  ASSIGN_OR_RETURN(Statement insert_run, database.prepare("INSERT INTO access_run VALUES "
                                                          "(?, ?, ?, ?, ?, ?, ?, ?, ?)"));
  for (const AccessSummary& summary : recording.access_summaries) {
    const std::string message = encode(summary);
    insert.bind(0, process).bind(1, summary.id.value).bind(2, as_byte_view(message));
    if (auto ok = insert.run(); !ok) return ok;
    RunWriter runs{insert_run, process, summary.id.value};
    for (const AllocationAccess& access : summary.allocations) {
      if (auto ok = runs.write(access.allocation, "read", access.reads); !ok) return ok;
      if (auto ok = runs.write(access.allocation, "write", access.writes); !ok) return ok;
    }
  }
  return {};
}

Result<void> write_launches(const Database& database, const Recording& recording,
                            const RowNumbers& numbers) {
  ASSIGN_OR_RETURN(Statement insert,
                   database.prepare("INSERT INTO launch_access VALUES (?, ?, ?, ?)"));
  Ordinals ordinals;
  for (const LaunchAccesses& launch : recording.launch_accesses) {
    insert.bind(0, numbers.row_of(launch.record))
        .bind(1, numbers.row_of(launch.node))
        .bind(2, ordinals.next(launch.record, launch.node))
        .bind(3, launch.summary.value);
    if (auto ok = insert.run(); !ok) return ok;
  }
  return {};
}

Result<void> write_indices(const Database& database, const Recording& recording,
                           const RowNumbers& numbers) {
  ASSIGN_OR_RETURN(Statement insert,
                   database.prepare("INSERT INTO launch_index VALUES (?, ?, ?, ?, ?)"));
  ASSIGN_OR_RETURN(Statement insert_content,
                   database.prepare("INSERT INTO index_content VALUES (?, ?, ?, ?, ?, ?)"));
  Ordinals ordinals;
  for (const LaunchIndex& index : recording.launch_indices) {
    const std::string message = encode(index);
    const std::uint64_t record = numbers.row_of(index.record), node = numbers.row_of(index.node);
    const std::uint64_t ordinal = ordinals.next(index.record, index.node);
    insert.bind(0, record)
        .bind(1, node)
        .bind(2, ordinal)
        .bind(3, std::uint64_t{index.complete})
        .bind(4, as_byte_view(message));
    if (auto ok = insert.run(); !ok) return ok;
    for (const IndexContent& content : index.contents) {
      insert_content.bind(0, record)
          .bind(1, node)
          .bind(2, ordinal)
          .bind(3, content.allocation.value)
          .bind(4, total_bytes(content.runs))
          .bind(5, content.content);
      if (auto ok = insert_content.run(); !ok) return ok;
    }
  }
  return {};
}

/// Whether the recording has that record; it may have a part of the process's.
bool has_record(const Recording& recording, std::uint64_t sequence) {
  const auto found = std::lower_bound(
      recording.records.begin(), recording.records.end(), sequence,
      [](const Record& record, std::uint64_t wanted) { return record.sequence < wanted; });
  return found != recording.records.end() && found->sequence == sequence;
}

/// Calls `take(row, record, node)` for each row of a launch that the recording has. The columns
/// record and node come first.
template <class Take>
Result<void> read_rows(const Database& database, std::string_view sql, const RowNumbers& numbers,
                       RowBudget& budget, const Recording& recording, Take take) {
  if (recording.records.empty()) return {};
  ASSIGN_OR_RETURN(Statement rows, database.prepare(sql));
  rows.bind(0, numbers.row_of(recording.records.front().sequence))
      .bind(1, numbers.row_of(recording.records.back().sequence));
  while (true) {
    ASSIGN_OR_RETURN(const bool more, rows.step());
    if (!more) return {};
    if (auto fits = budget.take(rows.bytes(3)); !fits) return fits;
    const std::uint64_t record = numbers.sequence_of(rows.number(0));
    if (!has_record(recording, record)) continue;
    if (auto ok = take(rows, record, numbers.sequence_of(rows.number(1))); !ok) return ok;
  }
}

Result<void> read_launches(const Database& database, const RowNumbers& numbers, RowBudget& budget,
                           Recording& recording) {
  return read_rows(
      database,
      "SELECT record, node, summary, NULL FROM launch_access "
      "WHERE record BETWEEN ? AND ? ORDER BY record, node, ordinal",
      numbers, budget, recording,
      [&](const Statement& row, std::uint64_t record, std::uint64_t node) -> Result<void> {
        LaunchAccesses& launch =
            recording.launch_accesses.emplace_back(LaunchAccesses{record, node, {}});
        ASSIGN_OR_RETURN(launch.summary.value, id_of(row, 2, "access summary"));
        return {};
      });
}

Result<void> read_indices(const Database& database, const RowNumbers& numbers, RowBudget& budget,
                          Recording& recording) {
  return read_rows(database,
                   "SELECT record, node, NULL, message FROM launch_index "
                   "WHERE record BETWEEN ? AND ? ORDER BY record, node, ordinal",
                   numbers, budget, recording,
                   [&](const Statement& row, std::uint64_t record, std::uint64_t node) {
                     LaunchIndex& index = recording.launch_indices.emplace_back();
                     index.record = record;
                     index.node = node;
                     return decode_launch_index(row.bytes(3), index);
                   });
}

}  // namespace

Result<void> write_accesses(const Database& database, const Recording& recording,
                            std::uint64_t records_before) {
  const RowNumbers numbers{records_before};
  auto ok = write_summaries(database, recording);
  if (ok) ok = write_launches(database, recording, numbers);
  if (ok) ok = write_indices(database, recording, numbers);
  return ok;
}

Result<void> read_accesses(const Database& database, std::uint64_t first_record, RowBudget& budget,
                           Recording& recording) {
  const RowNumbers numbers{first_record - 1};
  const std::string of_process = concat("process = ", recording.process.id.value);
  ASSIGN_OR_RETURN(recording.access_summaries, read_table(database, budget, "access_summary",
                                                          of_process, decode_access_summary));
  if (auto ok = read_launches(database, numbers, budget, recording); !ok) {
    return std::move(ok).error().with("table launch_access");
  }
  if (auto ok = read_indices(database, numbers, budget, recording); !ok) {
    return std::move(ok).error().with("table launch_index");
  }
  return {};
}

}  // namespace compass::archive
