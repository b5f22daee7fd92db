// SPDX-License-Identifier: MIT
#include "ir/archive/coverage_rows.h"

#include <utility>

#include "ir/archive/utf8.h"

namespace compass::archive {
namespace {

Result<void> write_gaps(const Database& database, const Coverage& coverage,
                        std::uint64_t records_before) {
  ASSIGN_OR_RETURN(Statement insert,
                   database.prepare("INSERT INTO coverage_gap VALUES (?, ?, ?, ?)"));
  const CoverageGap* before = nullptr;
  std::uint64_t ordinal = 0;
  for (const CoverageGap& gap : coverage.gaps) {
    const bool is_same =
        before != nullptr && before->record == gap.record && before->node == gap.node;
    ordinal = is_same ? ordinal + 1 : 0;
    before = &gap;
    insert.bind(0, records_before + gap.record)
        .bind(1, gap.node == 0 ? 0 : records_before + gap.node)
        .bind(2, ordinal)
        .bind(3, gap.reason);
    if (auto ok = insert.run(); !ok) return ok;
  }
  return {};
}

Result<void> write_texts(const Database& database, std::uint64_t process,
                         const Coverage& coverage) {
  ASSIGN_OR_RETURN(Statement insert,
                   database.prepare("INSERT INTO coverage_reason VALUES (?, ?, ?)"));
  for (std::uint64_t n = 0; n < coverage.reasons.size(); ++n) {
    insert.bind(0, process).bind(1, n).bind(2, to_utf8(coverage.reasons[n]));
    if (auto ok = insert.run(); !ok) return ok;
  }
  ASSIGN_OR_RETURN(Statement insert_run,
                   database.prepare("INSERT INTO instruction_run VALUES (?, ?, ?, ?)"));
  for (const RanInstruction& each : coverage.instructions) {
    insert_run.bind(0, process)
        .bind(1, to_utf8(each.architecture))
        .bind(2, to_utf8(each.mnemonic))
        .bind(3, name_of(each.basis));
    if (auto ok = insert_run.run(); !ok) return ok;
  }
  return {};
}

/// Reads the tables of one process.
class CoverageReader {
 public:
  CoverageReader(const Database& database, std::uint64_t first_record, std::uint64_t records,
                 RowBudget& budget, const Recording& recording)
      : database_(database),
        first_record_(first_record),
        records_(records),
        budget_(budget),
        process_(concat(recording.process.id.value)) {}

  Result<std::optional<Coverage>> read() {
    ASSIGN_OR_RETURN(const bool found, read_row());
    if (!found) return std::optional<Coverage>();
    if (auto ok = read_reasons(); !ok) return std::move(ok).error().with("table coverage_reason");
    if (auto ok = read_gaps(); !ok) return std::move(ok).error().with("table coverage_gap");
    if (auto ok = read_instructions(); !ok) {
      return std::move(ok).error().with("table instruction_run");
    }
    return std::optional(std::move(coverage_));
  }

 private:
  Result<bool> read_row() {
    ASSIGN_OR_RETURN(Statement row,
                     database_.prepare("SELECT architecture, interpreter, launches FROM coverage "
                                       "WHERE process = " +
                                       process_));
    ASSIGN_OR_RETURN(const bool found, row.step());
    if (!found) return false;
    if (auto fits = budget_.take(row.bytes(0).size() + row.bytes(1).size()); !fits) {
      return std::move(fits).error().with("table coverage");
    }
    coverage_.architecture = row.text(0);
    coverage_.interpreter = row.text(1);
    coverage_.launches = row.number(2);
    return true;
  }

  /// Calls `take` for each row; `text`: a column whose bytes count.
  template <class Take>
  Result<void> each_row(const std::string& sql, int text, Take take) {
    ASSIGN_OR_RETURN(Statement rows, database_.prepare(sql));
    while (true) {
      ASSIGN_OR_RETURN(const bool more, rows.step());
      if (!more) return {};
      if (auto fits = budget_.take(rows.bytes(text)); !fits) return fits;
      if (auto ok = take(rows); !ok) return ok;
    }
  }

  Result<void> read_reasons() {
    return each_row(
        "SELECT id, reason FROM coverage_reason WHERE process = " + process_ + " ORDER BY id", 1,
        [&](const Statement& row) -> Result<void> {
          if (auto ok = check_number(row.number(0), coverage_.reasons.size()); !ok) {
            return ok;
          }
          coverage_.reasons.emplace_back(row.text(1));
          return {};
        });
  }

  Result<void> read_gaps() {
    const std::string sql = concat(
        "SELECT record, node, reason, NULL FROM coverage_gap WHERE record BETWEEN ", first_record_,
        " AND ", first_record_ + records_ - 1, " ORDER BY record, node, ordinal");
    if (records_ == 0) return {};
    return each_row(sql, 3, [&](const Statement& row) -> Result<void> {
      CoverageGap gap{row.number(0) - first_record_ + 1, 0, row.number(2)};
      if (row.number(1) != 0) gap.node = row.number(1) - first_record_ + 1;
      if (gap.reason < coverage_.reasons.size() && gap.node <= records_) {
        coverage_.gaps.push_back(gap);
        return {};
      }
      return Error{
          ErrorCode::kCorrupt,
          concat("record ", gap.record, " has reason ", gap.reason, " and node ", gap.node,
                 ", there are ", coverage_.reasons.size(), " reasons and ", records_, " records")};
    });
  }

  Result<void> read_instructions() {
    return each_row(
        "SELECT architecture, basis, mnemonic FROM instruction_run WHERE process = " + process_ +
            " ORDER BY architecture, mnemonic",
        2, [&](const Statement& row) -> Result<void> {
          const std::optional<Basis> basis = basis_of(row.text(1));
          if (!basis) {
            return Error{ErrorCode::kCorrupt, concat(row.text(2), " rests on '", row.text(1), "'")};
          }
          coverage_.instructions.push_back(
              {std::string(row.text(0)), std::string(row.text(2)), *basis});
          return {};
        });
  }

  const Database& database_;
  std::uint64_t first_record_, records_;
  RowBudget& budget_;
  std::string process_;
  Coverage coverage_;
};

}  // namespace

Result<void> write_coverage(const Database& database, const Recording& recording,
                            std::uint64_t records_before) {
  if (!recording.coverage) return {};
  const Coverage& coverage = *recording.coverage;
  const std::uint64_t process = recording.process.id.value;
  ASSIGN_OR_RETURN(Statement insert, database.prepare("INSERT INTO coverage VALUES (?, ?, ?, ?)"));
  insert.bind(0, process)
      .bind(1, to_utf8(coverage.architecture))
      .bind(2, to_utf8(coverage.interpreter))
      .bind(3, coverage.launches);
  auto ok = insert.run();
  if (ok) ok = write_texts(database, process, coverage);
  if (ok) ok = write_gaps(database, coverage, records_before);
  return ok;
}

Result<void> read_coverage(const Database& database, std::uint64_t first_record,
                           std::uint64_t records, RowBudget& budget, Recording& recording) {
  ASSIGN_OR_RETURN(recording.coverage,
                   CoverageReader(database, first_record, records, budget, recording).read());
  return {};
}

}  // namespace compass::archive
