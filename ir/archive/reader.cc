// SPDX-License-Identifier: MIT
#include "ir/archive/reader.h"

#include <utility>

#include "ir/archive/call_site_rows.h"
#include "ir/archive/checked_file.h"
#include "ir/archive/compression.h"
#include "ir/archive/old_reader.h"
#include "ir/archive/process_reader.h"
#include "ir/archive/schema.h"
#include "ir/archive/sha256.h"
#include "ir/archive/sqlite.h"
#include "ir/names.h"

namespace compass::archive {
namespace {

Result<StoredContent> read_stored(const Database& database, const std::string& sha256_text) {
  ASSIGN_OR_RETURN(Statement row,
                   database.prepare("SELECT size_bytes, zstd FROM blob WHERE sha256 = ?"));
  row.bind(0, sha256_text);
  ASSIGN_OR_RETURN(const bool found, row.step());
  if (!found) return Error{ErrorCode::kNotFound, "the archive does not hold it"};
  const ByteView frame = row.bytes(1);
  return StoredContent{row.number(0), Bytes(frame.begin(), frame.end())};
}

Result<Bytes> read_content(const Database& database, const std::string& sha256_text) {
  ASSIGN_OR_RETURN(const StoredContent stored, read_stored(database, sha256_text));
  ASSIGN_OR_RETURN(Bytes bytes, decompress(stored.frame, stored.size_bytes));
  if (const std::string actual = sha256(bytes); actual != sha256_text) {
    return Error{ErrorCode::kCorrupt, concat("its bytes have the SHA-256 ", actual)};
  }
  return bytes;
}

std::string place_of(const std::filesystem::path& path) {
  return concat("archive ", printable(path.string()));
}

Error no_process(ProcessId process, std::size_t processes) {
  return {ErrorCode::kNotFound,
          concat("there is no process ", process.value, ": it has ", processes)};
}

/// Of the contents that are `in` the table of code objects: "IN" or "NOT IN".
Result<StoredBytes> read_stored_bytes(const Database& database, std::string_view in) {
  ASSIGN_OR_RETURN(
      Statement row,
      database.prepare(concat("SELECT count(*), sum(size_bytes), sum(length(zstd)) FROM blob "
                              "WHERE sha256 ",
                              in, " (SELECT sha256 FROM code_object)")));
  ASSIGN_OR_RETURN([[maybe_unused]] const bool found, row.step());
  return StoredBytes{row.number(0), row.number(1), row.number(2)};
}

Result<std::string> read_recorder(const Database& database) {
  ASSIGN_OR_RETURN(Statement row, database.prepare("SELECT recorder FROM archive"));
  ASSIGN_OR_RETURN(const bool found, row.step());
  return found ? std::string(row.text(0)) : std::string();
}

}  // namespace

Archive::Archive(std::filesystem::path path, std::uint64_t size_bytes, std::uint32_t version,
                 std::shared_ptr<const Database> database)
    : path_(std::move(path)),
      size_bytes_(size_bytes),
      version_(version),
      database_(std::move(database)) {}

Result<Archive> Archive::open(const std::filesystem::path& path) {
  ASSIGN_OR_RETURN(CheckedFile opened, open_checked(path));
  return Archive(path, opened.file.size_bytes, opened.file.version,
                 std::make_shared<const Database>(std::move(opened.database)));
}

Result<std::vector<Recording>> Archive::processes() const {
  std::vector<Recording> processes;
  if (version_ < kFirstWithProcesses) {
    auto only = read_old_process(*database_);
    if (!only) return std::move(only).error().with(place_of(path_));
    processes.push_back(std::move(*only));
    return processes;
  }
  auto rows = read_process_rows(*database_, size_bytes_, version_);
  if (!rows) return std::move(rows).error().with(place_of(path_));
  for (ProcessRow& row : *rows) processes.push_back(std::move(row.recording));
  return processes;
}

Result<Recording> Archive::recording(ProcessId process) const { return read(process, {}); }

Result<Recording> Archive::steps(ProcessId process, const StepSpan& steps) const {
  return read(process, steps);
}

Result<Recording> Archive::read(ProcessId process, const std::optional<StepSpan>& steps) const {
  auto recording = read_unnamed(process, steps);
  if (!recording) return std::move(recording).error().with(place_of(path_));
  return recording;
}

/// Of an archive that has rows of processes.
Result<ProcessRow> Archive::find_process(ProcessId process) const {
  ASSIGN_OR_RETURN(std::vector<ProcessRow> rows,
                   read_process_rows(*database_, size_bytes_, version_));
  if (process && process.value <= rows.size()) return std::move(rows[process.value - 1]);
  return no_process(process, rows.size());
}

Result<Recording> Archive::read_unnamed(ProcessId process,
                                        const std::optional<StepSpan>& steps) const {
  if (version_ >= kFirstWithProcesses) {
    ASSIGN_OR_RETURN(const ProcessRow row, find_process(process));
    return read_process(*database_, row, steps, size_bytes_);
  }
  if (process.value != 1) return no_process(process, 1);
  return read_old_recording(*database_, size_bytes_);
}

Result<Outline> Archive::read_outline(ProcessId process) const {
  if (version_ >= kFirstWithProcesses) {
    ASSIGN_OR_RETURN(const ProcessRow row, find_process(process));
    return read_process_outline(*database_, row, size_bytes_);
  }
  ASSIGN_OR_RETURN(Recording recording, read_unnamed(process, {}));
  Tally tally = tally_of(recording);
  recording.records.clear();
  return Outline{std::move(recording), std::move(tally)};
}

Result<Outline> Archive::outline(ProcessId process) const {
  auto outline = read_outline(process);
  if (!outline) return std::move(outline).error().with(place_of(path_));
  return outline;
}

Result<Sizes> Archive::sizes() const {
  Sizes sizes;
  sizes.file_bytes = size_bytes_;
  const auto place = [&](Error error) {
    return std::move(error).with(concat(place_of(path_), ": table blob"));
  };
  constexpr std::uint64_t kMostStepsOfAByte = 16;
  database_->limit_steps(1'000'000 + size_bytes_ * kMostStepsOfAByte);
  for (const bool is_code : {true, false}) {
    auto stored = read_stored_bytes(*database_, is_code ? "IN" : "NOT IN");
    if (!stored) return place(std::move(stored).error());
    (is_code ? sizes.code : sizes.contents) = *stored;
  }
  database_->limit_steps(0);
  return sizes;
}

Result<std::string> Archive::recorder() const {
  if (version_ < kFirstWithProcesses) return std::string();
  auto recorder = read_recorder(*database_);
  if (!recorder)
    return std::move(recorder).error().with(concat(place_of(path_), ": table archive"));
  return recorder;
}

Result<Bytes> Archive::content(const std::string& sha256_text) const {
  auto bytes = read_content(*database_, sha256_text);
  if (!bytes) {
    return std::move(bytes).error().with(concat(place_of(path_), ", content ", sha256_text));
  }
  return bytes;
}

Result<StoredContent> Archive::stored(const std::string& sha256_text) const {
  auto stored = read_stored(*database_, sha256_text);
  if (!stored) {
    return std::move(stored).error().with(concat(place_of(path_), ", content ", sha256_text));
  }
  return stored;
}

Result<RecordedCallSites> Archive::call_sites(ProcessId process) const {
  const auto read = [&]() -> Result<RecordedCallSites> {
    if (version_ < kFirstWithProcesses) return RecordedCallSites{};
    ASSIGN_OR_RETURN(const ProcessRow row, find_process(process));
    RowBudget budget(size_bytes_);
    return read_call_sites(*database_, process, row.first_record, row.records, budget);
  };
  auto sites = read();
  if (!sites) return std::move(sites).error().with(concat(place_of(path_), ": call sites"));
  return sites;
}

ContentSource Archive::contents() const {
  return [archive = *this](const std::string& sha256_text) { return archive.content(sha256_text); };
}

}  // namespace compass::archive
