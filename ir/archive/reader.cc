// SPDX-License-Identifier: MIT
#include "ir/archive/reader.h"

#include <limits>
#include <utility>

#include "ir/archive/compression.h"
#include "ir/archive/file_header.h"
#include "ir/archive/message.h"
#include "ir/archive/schema.h"
#include "ir/archive/sha256.h"
#include "ir/archive/sqlite.h"
#include "ir/archive/validate.h"
#include "ir/names.h"

namespace compass::archive {
namespace {

/// What rows a file can hold. A damaged or hostile tree may lead to one page again and again, and
/// so hold more rows than there are bytes.
class RowBudget {
 public:
  explicit RowBudget(std::uint64_t file_bytes) : left_bytes_(file_bytes) {}
  Result<void> take(ByteView message) {
    constexpr std::uint64_t kLeastRowBytes = 4;
    const std::uint64_t bytes = message.size() + kLeastRowBytes;
    if (bytes > left_bytes_) {
      return Error{ErrorCode::kCorrupt, "the rows hold more bytes than the file"};
    }
    left_bytes_ -= bytes;
    return {};
  }

 private:
  std::uint64_t left_bytes_;
};

/// Ids are 1, 2, … in every table; checked as they come, since a tree that repeats itself is long.
Result<void> check_number(std::uint64_t number, std::size_t expected) {
  if (number == expected) return {};
  return Error{ErrorCode::kCorrupt, concat("is numbered ", number)};
}

/// The messages of a table, in the order of their ids.
template <class Thing>
Result<std::vector<Thing>> read_table(const Database& database, RowBudget& budget,
                                      std::string_view table, Result<Thing> (*decode)(ByteView)) {
  const auto place = [&](Error error, std::size_t row) {
    return std::move(error).with(concat("table ", table, ", row ", row));
  };
  std::vector<Thing> things;
  auto rows = database.prepare(concat("SELECT message FROM ", table, " ORDER BY id"));
  if (!rows) return place(std::move(rows).error(), 1);
  while (true) {
    auto more = rows->step();
    if (!more) return place(std::move(more).error(), things.size() + 1);
    if (!*more) return things;
    const auto fits = budget.take(rows->bytes(0));
    if (!fits) return place(fits.error(), things.size() + 1);
    auto thing = decode(rows->bytes(0));
    if (!thing) return place(std::move(thing).error(), things.size() + 1);
    const auto numbered = check_number(thing->id.value, things.size() + 1);
    if (!numbered) return place(numbered.error(), things.size() + 1);
    things.push_back(std::move(*thing));
  }
}

Result<std::uint32_t> id_of(const Statement& row, int column, std::string_view what) {
  const std::uint64_t number = row.number(column);
  if (number <= std::numeric_limits<std::uint32_t>::max()) {
    return static_cast<std::uint32_t>(number);
  }
  return Error{ErrorCode::kCorrupt, concat(what, " ", number, " is no id")};
}

Result<Record> record_of(const Statement& row) {
  Record record;
  record.sequence = row.number(0);
  ASSIGN_OR_RETURN(record.thread.value, id_of(row, 1, "thread"));
  ASSIGN_OR_RETURN(record.stream.value, id_of(row, 2, "stream"));
  ASSIGN_OR_RETURN(record.step.value, id_of(row, 3, "step"));
  record.phase = row.text(4);
  const std::uint64_t status = row.number(5);
  if (status > std::numeric_limits<std::int32_t>::max()) {
    return Error{ErrorCode::kCorrupt, concat("status ", status, " is no status of a runtime")};
  }
  record.status = static_cast<std::int32_t>(status);
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

Result<void> read_device(const Database& database, Recording& recording) {
  ASSIGN_OR_RETURN(Statement row, database.prepare("SELECT program, complete, incomplete_cause, "
                                                   "device FROM recording"));
  ASSIGN_OR_RETURN(const bool found, row.step());
  if (!found) return Error{ErrorCode::kCorrupt, "the table is empty"};
  recording.program = row.text(0);
  recording.complete = row.number(1) != 0;
  recording.incomplete_cause = row.text(2);
  ASSIGN_OR_RETURN(recording.device, decode_device(row.bytes(3)));
  return {};
}

Result<Recording> read_recording(const Database& database, std::uint64_t file_bytes) {
  Recording recording;
  if (auto ok = read_device(database, recording); !ok) {
    return std::move(ok).error().with("table recording");
  }
  RowBudget budget(file_bytes);
  const auto read = [&](std::string_view table, auto decode) {
    return read_table(database, budget, table, decode);
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

Result<Bytes> read_content(const Database& database, const std::string& sha256_text) {
  ASSIGN_OR_RETURN(Statement row,
                   database.prepare("SELECT size_bytes, zstd FROM blob WHERE sha256 = ?"));
  row.bind(0, sha256_text);
  ASSIGN_OR_RETURN(const bool found, row.step());
  if (!found) return Error{ErrorCode::kNotFound, "the archive does not hold it"};
  ASSIGN_OR_RETURN(Bytes bytes, decompress(row.bytes(1), row.number(0)));
  if (const std::string actual = sha256(bytes); actual != sha256_text) {
    return Error{ErrorCode::kCorrupt, concat("its bytes have the SHA-256 ", actual)};
  }
  return bytes;
}

std::string place_of(const std::filesystem::path& path) {
  return concat("archive ", printable(path.string()));
}

}  // namespace

Archive::Archive(std::filesystem::path path, std::uint64_t size_bytes,
                 std::shared_ptr<const Database> database)
    : path_(std::move(path)), size_bytes_(size_bytes), database_(std::move(database)) {}

Result<Archive> Archive::open(const std::filesystem::path& path) {
  const auto named = [&](const Error& error) {
    return Error{error.code, concat(printable(path.string()), " ", error.message)};
  };
  auto file = check_file(path);
  if (!file) return named(file.error());
  auto database = Database::open_to_read(path, file->size_bytes, tables_sql(file->version));
  if (!database) return named(std::move(database).error().with("cannot be opened"));
  return Archive(path, file->size_bytes, std::make_shared<const Database>(std::move(*database)));
}

Result<Recording> Archive::recording() const {
  auto recording = read_recording(*database_, size_bytes_);
  if (!recording) return std::move(recording).error().with(place_of(path_));
  return recording;
}

Result<Bytes> Archive::content(const std::string& sha256_text) const {
  auto bytes = read_content(*database_, sha256_text);
  if (!bytes) {
    return std::move(bytes).error().with(concat(place_of(path_), ", content ", sha256_text));
  }
  return bytes;
}

ContentSource Archive::contents() const {
  return [archive = *this](const std::string& sha256_text) { return archive.content(sha256_text); };
}

}  // namespace compass::archive
