// SPDX-License-Identifier: MIT
#include "ir/archive/reader.h"

#include <utility>

#include "ir/archive/compression.h"
#include "ir/archive/file_header.h"
#include "ir/archive/old_reader.h"
#include "ir/archive/process_reader.h"
#include "ir/archive/schema.h"
#include "ir/archive/sha256.h"
#include "ir/archive/sqlite.h"
#include "ir/names.h"

namespace compass::archive {
namespace {

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

Archive::Archive(std::filesystem::path path, std::uint64_t size_bytes, std::uint32_t version,
                 std::shared_ptr<const Database> database)
    : path_(std::move(path)),
      size_bytes_(size_bytes),
      version_(version),
      database_(std::move(database)) {}

Result<Archive> Archive::open(const std::filesystem::path& path) {
  const auto named = [&](const Error& error) {
    return Error{error.code, concat(printable(path.string()), " ", error.message)};
  };
  auto file = check_file(path);
  if (!file) return named(file.error());
  auto database = Database::open_to_read(path, file->size_bytes, tables_sql(file->version));
  if (!database) return named(std::move(database).error().with("cannot be opened"));
  return Archive(path, file->size_bytes, file->version,
                 std::make_shared<const Database>(std::move(*database)));
}

Result<std::vector<Recording>> Archive::processes() const {
  std::vector<Recording> processes;
  if (version_ < kFirstWithProcesses) {
    auto only = read_old_process(*database_);
    if (!only) return std::move(only).error().with(place_of(path_));
    processes.push_back(std::move(*only));
    return processes;
  }
  auto rows = read_process_rows(*database_, size_bytes_);
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

Result<Recording> Archive::read_unnamed(ProcessId process,
                                        const std::optional<StepSpan>& steps) const {
  std::size_t processes = 1;
  std::vector<ProcessRow> rows;
  if (version_ >= kFirstWithProcesses) {
    ASSIGN_OR_RETURN(rows, read_process_rows(*database_, size_bytes_));
    processes = rows.size();
  }
  if (!process || process.value > processes) {
    return Error{ErrorCode::kNotFound,
                 concat("there is no process ", process.value, ": it has ", processes)};
  }
  if (rows.empty()) return read_old_recording(*database_, size_bytes_);
  auto recording = read_process(*database_, rows[process.value - 1], steps, size_bytes_);
  if (recording || processes == 1) return recording;
  return std::move(recording).error().with(concat("process ", process.value));
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
