// SPDX-License-Identifier: MIT
#include "ir/archive/old_reader.h"

#include <utility>

#include "ir/archive/message.h"
#include "ir/archive/row_reader.h"
#include "ir/archive/validate.h"

namespace compass::archive {
namespace {

Result<Record> record_of(const Statement& row) {
  Record record;
  record.sequence = row.number(0);
  ASSIGN_OR_RETURN(record.thread.value, id_of(row, 1, "thread"));
  ASSIGN_OR_RETURN(record.stream.value, id_of(row, 2, "stream"));
  ASSIGN_OR_RETURN(record.step.value, id_of(row, 3, "step"));
  record.phase = row.text(4);
  ASSIGN_OR_RETURN(record.status, status_of(row.number(5)));
  if (auto ok = decode_record(row.bytes(6), record); !ok) return std::move(ok).error();
  return record;
}

Result<std::vector<Record>> read_records(const Database& database, RowBudget& budget) {
  std::vector<Record> records;
  ASSIGN_OR_RETURN(Statement rows,
                   database.prepare("SELECT sequence, thread, stream, step, phase, status, message "
                                    "FROM record ORDER BY sequence"));
  while (true) {
    const std::string place = concat("record ", records.size() + 1);
    auto more = rows.step();
    if (!more) return std::move(more).error().with(place);
    if (!*more) return records;
    auto fits = budget.take(rows.bytes(6));
    if (fits) fits = check_number(rows.number(0), records.size() + 1);
    if (!fits) return std::move(fits).error().with(place);
    auto record = record_of(rows);
    if (!record) return std::move(record).error().with(place);
    records.push_back(std::move(*record));
  }
}

Result<Recording> read_device(const Database& database) {
  Recording recording;
  ASSIGN_OR_RETURN(Statement row, database.prepare("SELECT program, complete, incomplete_cause, "
                                                   "device FROM recording"));
  ASSIGN_OR_RETURN(const bool found, row.step());
  if (!found) return Error{ErrorCode::kCorrupt, "the table is empty"};
  recording.program = row.text(0);
  recording.complete = row.number(1) != 0;
  recording.incomplete_cause = row.text(2);
  ASSIGN_OR_RETURN(recording.device, decode_device(row.bytes(3)));
  return recording;
}

}  // namespace

Result<Recording> read_old_process(const Database& database) {
  auto recording = read_device(database);
  if (!recording) return std::move(recording).error().with("table recording");
  return recording;
}

Result<Recording> read_old_recording(const Database& database, std::uint64_t file_bytes) {
  ASSIGN_OR_RETURN(Recording recording, read_old_process(database));
  RowBudget budget(file_bytes);
  const auto read = [&](std::string_view table, auto decode) {
    return read_table(database, budget, table, "true", decode);
  };
  ASSIGN_OR_RETURN(recording.code_objects, read("code_object", decode_code_object));
  ASSIGN_OR_RETURN(recording.kernels, read("kernel", decode_kernel));
  ASSIGN_OR_RETURN(recording.allocations, read("allocation", decode_allocation));
  ASSIGN_OR_RETURN(recording.launches, read("launch", decode_launch));
  ASSIGN_OR_RETURN(recording.steps, read("step", decode_step));
  ASSIGN_OR_RETURN(recording.records, read_records(database, budget));
  if (auto ok = validate(recording); !ok) return std::move(ok).error();
  return recording;
}

}  // namespace compass::archive
