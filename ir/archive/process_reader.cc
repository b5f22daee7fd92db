// SPDX-License-Identifier: MIT
#include "ir/archive/process_reader.h"

#include <algorithm>
#include <string>
#include <utility>

#include "ir/archive/access_rows.h"
#include "ir/archive/coverage_rows.h"
#include "ir/archive/message.h"
#include "ir/archive/offsets.h"
#include "ir/archive/record_rows.h"
#include "ir/archive/row_reader.h"
#include "ir/archive/schema.h"
#include "ir/archive/validate.h"

namespace compass::archive {
namespace {

/// Of which kind a launch is, in the archive as in RecordBody.
const std::size_t kLaunchKind = RecordBody(LaunchKernel{}).index();

/// What records share that have it in common.
struct Context {
  ThreadId thread;
  StreamId stream;
  StepId step;
  std::string phase;
  bool captured = false;
};

Result<std::optional<std::uint32_t>> optional_number(const Statement& row, int column,
                                                     std::string_view what) {
  if (row.is_null(column)) return std::optional<std::uint32_t>();
  ASSIGN_OR_RETURN(const std::uint32_t number, id_of(row, column, what));
  return std::optional(number);
}

Result<ProcessRow> process_of(const Statement& row) {
  ProcessRow made;
  ProcessInfo& info = made.recording.process;
  ASSIGN_OR_RETURN(info.id.value, id_of(row, 0, "process"));
  ASSIGN_OR_RETURN(info.parent.value, id_of(row, 1, "process"));
  ASSIGN_OR_RETURN(info.rank, optional_number(row, 2, "rank"));
  ASSIGN_OR_RETURN(info.ranks, optional_number(row, 3, "number of ranks"));
  made.recording.program = row.text(4);
  made.recording.complete = row.number(5) != 0;
  made.recording.incomplete_cause = row.text(6);
  made.first_record = row.number(7);
  made.records = row.number(8);
  if (auto ok = decode_process(row.bytes(9), made.recording); !ok) return std::move(ok).error();
  return made;
}

/// Whether the processes number one after the other, and their records too.
Result<void> check_order(const ProcessRow& row, const std::vector<ProcessRow>& before,
                         std::uint64_t file_bytes) {
  auto numbered = check_number(row.recording.process.id.value, before.size() + 1);
  if (!numbered) return numbered;
  const std::uint64_t expected =
      before.empty() ? 1 : before.back().first_record + before.back().records;
  if (row.first_record != expected) {
    return Error{ErrorCode::kCorrupt,
                 concat("its records start at ", row.first_record, ", expected ", expected)};
  }
  if (row.records > file_bytes) {
    return Error{ErrorCode::kCorrupt,
                 concat("has ", row.records, " records in a file of ", file_bytes, " bytes")};
  }
  return {};
}

/// Fills a recording from the rows of a process.
class ProcessReader {
 public:
  ProcessReader(const Database& database, const ProcessRow& row, std::uint64_t file_bytes)
      : database_(database),
        row_(row),
        of_process_(concat("process = ", row.recording.process.id.value)),
        file_bytes_(file_bytes),
        budget_(file_bytes),
        recording_(row.recording) {}

  Result<Recording> read(const std::optional<StepSpan>& steps) {
    if (auto ok = read_things(); !ok) return std::move(ok).error();
    if (auto ok = read_first_uses(); !ok) return std::move(ok).error().with("table allocation");
    if (auto ok = read_contexts(); !ok) return std::move(ok).error().with("table context");
    auto ok = prepare();
    if (ok) ok = steps ? read_steps(*steps) : read_records(1, row_.records, std::nullopt);
    if (ok && !steps) ok = check_count();
    if (ok) ok = read_accesses(database_, row_.first_record, budget_, recording_);
    if (ok && !steps) ok = read_coverage();
    if (ok) ok = validate(recording_, steps ? Extent::kSteps : Extent::kWhole);
    if (!ok) return std::move(ok).error();
    return std::move(recording_);
  }

  Result<Outline> read_outline() {
    if (auto ok = read_things(); !ok) return std::move(ok).error();
    if (auto ok = read_first_uses(); !ok) return std::move(ok).error().with("table allocation");
    if (auto ok = read_coverage(); !ok) return std::move(ok).error();
    if (auto ok = validate(recording_, Extent::kSteps); !ok) return std::move(ok).error();
    Tally tally{std::vector<std::uint64_t>(recording_.launches.size()),
                std::vector<Lifetime>(recording_.allocations.size()),
                std::vector<StepTally>(recording_.steps.size()),
                std::vector<KindTally>(record_kinds().size())};
    auto ok = read_counts("launch", "launches", tally.launches,
                          [](const Statement& row, std::uint64_t& out) { out = row.number(1); });
    if (ok) {
      ok = read_counts("allocation", "allocated_by, freed_by", tally.lifetimes,
                       [](const Statement& row, Lifetime& out) {
                         out = {row.number(1), row.number(2)};
                       });
    }
    if (ok) {
      ok = read_counts("step", "launches, first_record, last_record", tally.steps,
                       [](const Statement& row, StepTally& out) {
                         out = {row.number(1), row.number(2), row.number(3)};
                       });
    }
    if (ok) {
      ok = read_counts("record_count", "records, failed", tally.kinds,
                       [](const Statement& row, KindTally& out) {
                         out = {row.number(1), row.number(2)};
                       });
    }
    if (!ok) return std::move(ok).error();
    return Outline{std::move(recording_), std::move(tally)};
  }

 private:
  /// Columns of a table into `counts`, by the ids of its rows or, of kinds, by their numbers.
  template <class Count, class Take>
  Result<void> read_counts(std::string_view table, std::string_view columns,
                           std::vector<Count>& counts, Take take) {
    const bool is_by_kind = table == "record_count";
    ASSIGN_OR_RETURN(Statement rows,
                     database_.prepare(concat("SELECT ", is_by_kind ? "kind" : "id - 1", ", ",
                                              columns, " FROM ", table, " WHERE ", of_process_)));
    for (std::size_t i = 0; i < counts.size(); ++i) {
      ASSIGN_OR_RETURN(const bool more, rows.step());
      if (!more) return {};
      if (rows.number(0) < counts.size()) take(rows, counts[rows.number(0)]);
    }
    return {};
  }

  Result<void> read_things() {
    const auto read = [&](std::string_view table, auto decode) {
      return read_table(database_, budget_, table, of_process_, decode);
    };
    ASSIGN_OR_RETURN(recording_.code_objects, read("code_object", decode_code_object));
    ASSIGN_OR_RETURN(recording_.kernels, read("kernel", decode_kernel));
    ASSIGN_OR_RETURN(recording_.allocations, read("allocation", decode_allocation));
    ASSIGN_OR_RETURN(recording_.launches, read("launch", decode_launch));
    ASSIGN_OR_RETURN(recording_.steps, read("step", decode_step));
    for (const Launch& launch : recording_.launches) pointers_.push_back(pointers_of(launch));
    return {};
  }

  Result<void> read_given_up() {
    ASSIGN_OR_RETURN(
        Statement row,
        database_.prepare("SELECT contents, size_bytes FROM given_up WHERE " + of_process_));
    ASSIGN_OR_RETURN(const bool found, row.step());
    if (found) recording_.given_up = {row.number(0), row.number(1)};
    return {};
  }

  Result<void> read_coverage() {
    if (row_.format < kFirstWithCoverage) return {};
    if (auto ok = read_given_up(); !ok) return std::move(ok).error().with("table given_up");
    return archive::read_coverage(database_, row_.first_record, row_.records, budget_, recording_);
  }

  Result<void> read_first_uses() {
    ASSIGN_OR_RETURN(
        Statement rows,
        database_.prepare(concat("SELECT first_kernel, first_argument FROM allocation WHERE ",
                                 of_process_, " ORDER BY id")));
    while (recording_.first_uses.size() < recording_.allocations.size()) {
      ASSIGN_OR_RETURN(const bool more, rows.step());
      if (!more) return {};
      FirstUse& use = recording_.first_uses.emplace_back();
      ASSIGN_OR_RETURN(use.kernel.value, id_of(rows, 0, "kernel"));
      ASSIGN_OR_RETURN(use.offset_bytes, id_of(rows, 1, "argument"));
    }
    return {};
  }

  Result<void> read_contexts() {
    ASSIGN_OR_RETURN(
        Statement rows,
        database_.prepare(concat("SELECT id, thread, stream, step, phase, captured FROM context "
                                 "WHERE ",
                                 of_process_, " ORDER BY id")));
    while (true) {
      ASSIGN_OR_RETURN(const bool more, rows.step());
      if (!more) return {};
      if (auto fits = budget_.take(rows.bytes(4)); !fits) return fits;
      if (contexts_.empty()) first_context_ = rows.number(0);
      if (auto ok = check_number(rows.number(0), first_context_ + contexts_.size()); !ok) return ok;
      Context& context = contexts_.emplace_back();
      ASSIGN_OR_RETURN(context.thread.value, id_of(rows, 1, "thread"));
      ASSIGN_OR_RETURN(context.stream.value, id_of(rows, 2, "stream"));
      ASSIGN_OR_RETURN(context.step.value, id_of(rows, 3, "step"));
      context.phase = rows.text(4);
      context.captured = rows.number(5) != 0;
    }
  }

  Result<void> prepare() {
    ASSIGN_OR_RETURN(
        Statement rows,
        database_.prepare("SELECT id, kind, context, status, subject, offsets, message "
                          "FROM record WHERE id BETWEEN ? AND ? ORDER BY id"));
    rows_.emplace(std::move(rows));
    return {};
  }

  /// The records `first` to `last` of the process; of these only the steps', if they are given.
  Result<void> read_records(std::uint64_t first, std::uint64_t last,
                            const std::optional<StepSpan>& steps) {
    constexpr std::uint64_t kUsualRowBytes = 24;
    const std::uint64_t most = file_bytes_ / kUsualRowBytes;
    if (!steps && first < last) recording_.records.reserve(std::min(last - first + 1, most));
    rows_->reset();
    rows_->bind(0, row_of(first)).bind(1, row_of(last));
    for (std::uint64_t sequence = first;; ++sequence) {
      auto more = rows_->step();
      if (more && !*more) return {};
      auto read = more ? read_record(*rows_, sequence, steps) : Result<void>(more.error());
      if (!read) return std::move(read).error().with(concat("record ", sequence));
    }
  }

  Result<void> read_record(const Statement& row, std::uint64_t sequence,
                           const std::optional<StepSpan>& steps) {
    if (row.number(0) != row_of(sequence)) {
      return Error{ErrorCode::kCorrupt,
                   concat("is numbered ", row.number(0) - row_.first_record + 1)};
    }
    const ByteView offsets = row.bytes(5);
    const ByteView message = row.bytes(6);
    if (auto fits = budget_.take(offsets.size() + message.size()); !fits) return fits;
    const std::uint64_t context_number = row.number(2) - first_context_;
    if (context_number >= contexts_.size()) {
      return Error{ErrorCode::kCorrupt,
                   concat("names context ", row.number(2), ", which the process does not have")};
    }
    const Context& context = contexts_[context_number];
    const bool is_wanted = !steps || (steps->first <= context.step && context.step <= steps->last);
    if (!is_wanted) return {};
    Record& record = recording_.records.emplace_back();
    record.sequence = sequence;
    record.thread = context.thread;
    record.stream = context.stream;
    record.step = context.step;
    record.phase = context.phase;
    ASSIGN_OR_RETURN(record.status, status_of(row.number(3)));
    auto ok = row.number(1) == kLaunchKind ? read_launch(row, offsets, record)
                                           : decode_record(message, record);
    record.captured = context.captured;
    if (ok && row.number(1) != record.body.index()) {
      return Error{ErrorCode::kCorrupt, concat("is a ", kind_of(record), " of another kind")};
    }
    return ok;
  }

  Result<void> read_launch(const Statement& row, ByteView offsets, Record& record) {
    ASSIGN_OR_RETURN(const std::uint32_t id, id_of(row, 4, "launch"));
    if (id == 0 || id > pointers_.size()) {
      return Error{ErrorCode::kCorrupt,
                   concat("names launch ", id, ", there are ", pointers_.size())};
    }
    LaunchKernel launch{{id}, {}};
    ASSIGN_OR_RETURN(launch.offsets, decode_offsets(offsets, pointers_[id - 1]));
    record.body = std::move(launch);
    return {};
  }

  Result<void> check_count() const {
    if (recording_.records.size() == row_.records) return {};
    return Error{ErrorCode::kCorrupt,
                 concat("has ", recording_.records.size(), " records of ", row_.records)};
  }

  /// Their own records, and before them those that ended memory.
  Result<void> read_steps(const StepSpan& steps) {
    ASSIGN_OR_RETURN(Statement row,
                     database_.prepare(concat(
                         "SELECT min(first_record), max(last_record) FROM step WHERE ", of_process_,
                         " AND id BETWEEN ", steps.first.value, " AND ", steps.last.value)));
    ASSIGN_OR_RETURN(const bool found, row.step());
    if (!found || row.is_null(0)) return {};  // they have no record
    const std::uint64_t first = row.number(0);
    const std::uint64_t last = row.number(1);
    if (first == 0 || first > last || last > row_.records) {
      return Error{ErrorCode::kCorrupt,
                   concat("table step: steps ", steps.first.value, " to ", steps.last.value,
                          " are said to be from record ", first, " to ", last)};
    }
    if (auto ok = read_frees_before(first); !ok) return ok;
    return read_records(first, last, steps);
  }

  Result<void> read_frees_before(std::uint64_t first) {
    std::vector<std::uint64_t> frees;
    ASSIGN_OR_RETURN(Statement rows,
                     database_.prepare(concat("SELECT freed_by FROM allocation WHERE ", of_process_,
                                              " AND freed_by < ", first, " ORDER BY freed_by")));
    while (frees.size() < recording_.allocations.size()) {
      ASSIGN_OR_RETURN(const bool more, rows.step());
      if (!more) break;
      frees.push_back(rows.number(0));
    }
    for (const std::uint64_t free : frees) {
      if (free == 0 || free >= first) continue;
      if (auto ok = read_records(free, free, std::nullopt); !ok) return ok;
    }
    return {};
  }

  std::uint64_t row_of(std::uint64_t sequence) const { return row_.first_record + sequence - 1; }

  const Database& database_;
  const ProcessRow& row_;
  std::string of_process_;  ///< the condition
  std::uint64_t file_bytes_;
  RowBudget budget_;
  std::vector<Context> contexts_;
  std::uint64_t first_context_ = 0;
  std::vector<std::size_t> pointers_;  ///< of launches
  std::optional<Statement> rows_;      ///< of records
  Recording recording_;
};

}  // namespace

Result<std::vector<ProcessRow>> read_process_rows(const Database& database,
                                                  std::uint64_t file_bytes, std::uint32_t format) {
  RowBudget budget(file_bytes);
  std::vector<ProcessRow> processes;
  const auto read_row = [&](const Statement& row) -> Result<void> {
    if (auto fits = budget.take(row.bytes(9).size()); !fits) return fits;
    ASSIGN_OR_RETURN(ProcessRow process, process_of(row));
    if (auto ok = check_order(process, processes, file_bytes); !ok) return ok;
    processes.push_back(std::move(process));
    return {};
  };
  const auto place = [&](Error error) {
    return std::move(error).with(concat("table process, row ", processes.size() + 1));
  };
  auto rows = database.prepare(
      "SELECT id, parent, rank, ranks, program, complete, incomplete_cause, first_record, records, "
      "message FROM process ORDER BY id");
  if (!rows) return place(std::move(rows).error());
  while (true) {
    const auto more = rows->step();
    if (!more) return place(more.error());
    if (!*more) break;
    if (auto ok = read_row(*rows); !ok) return place(std::move(ok).error());
  }
  if (processes.empty()) return Error{ErrorCode::kCorrupt, "table process: the table is empty"};
  for (ProcessRow& each : processes) {
    each.processes = processes.size();
    each.format = format;
    const ProcessInfo& info = each.recording.process;
    if (info.parent.value <= processes.size() && info.parent != info.id) continue;
    return Error{ErrorCode::kCorrupt, concat("table process, row ", info.id.value,
                                             ": has the parent ", info.parent.value)};
  }
  return processes;
}

/// Errors of an archive of several say which of them it is.
template <class T>
Result<T> named(Result<T> read, const ProcessRow& row) {
  if (read || row.processes == 1) return read;
  return std::move(read).error().with(concat("process ", row.recording.process.id.value));
}

Result<Recording> read_process(const Database& database, const ProcessRow& row,
                               const std::optional<StepSpan>& steps, std::uint64_t file_bytes) {
  return named(ProcessReader(database, row, file_bytes).read(steps), row);
}

Result<Outline> read_process_outline(const Database& database, const ProcessRow& row,
                                     std::uint64_t file_bytes) {
  return named(ProcessReader(database, row, file_bytes).read_outline(), row);
}

}  // namespace compass::archive
