// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "ir/base/bytes.h"
#include "ir/base/result.h"
#include "ir/call_site.h"
#include "ir/recording.h"
#include "ir/tally.h"

namespace compass::archive {

class Database;
struct ProcessRow;

/// Steps from one to another, with both.
struct StepSpan {
  StepId first;
  StepId last;
};

/// What of a process is known without reading its records.
struct Outline {
  Recording recording;  ///< with no records
  Tally tally;
};

/// Of contents: how many, their bytes, and those that they take in the file.
struct StoredBytes {
  std::uint64_t count = 0;
  std::uint64_t size_bytes = 0;
  std::uint64_t stored_bytes = 0;
};
struct Sizes {
  std::uint64_t file_bytes = 0;
  StoredBytes code;      ///< code objects
  StoredBytes contents;  ///< of buffers
};

/// A content as the file holds it.
struct StoredContent {
  std::uint64_t size_bytes = 0;  ///< of its bytes
  Bytes frame;                   ///< these, in one frame of Zstandard
};

/// An archive, open for reading. Takes any file: what is no archive, or a damaged one, is an error
/// that names the file and the place. Nothing may write to the file meanwhile; a replacement by
/// rename does no harm. Threads: one at a time.
class Archive {
 public:
  static Result<Archive> open(const std::filesystem::path& path);

  /// By their ids, which are 1, 2, …; there is at least one. Of each only what describes the
  /// process itself is there: no kernels, no records.
  Result<std::vector<Recording>> processes() const;

  /// Everything of a process but the bytes of contents. Ids and offsets in it are checked: an id
  /// that is not 0 indexes its vector, an offset is at most its allocation's size, an argument lies
  /// inside its kernel's kernarg segment, events and streams number at most the records that create
  /// them.
  Result<Recording> recording(ProcessId process = {1}) const;

  /// The same with fewer records, and much quicker: those of the steps, as far as there are such,
  /// and the frees before them that took effect. They keep their numbers, so `records[n - 1]` is
  /// not the n-th; what they name of streams, threads, events, graphs and other records is not
  /// checked. Of an archive before format 3 everything.
  Result<Recording> steps(ProcessId process, const StepSpan& steps) const;

  /// A process without its records, in little time.
  Result<Outline> outline(ProcessId process) const;

  Result<Sizes> sizes() const;
  /// The program and version that wrote it; empty: it does not say.
  Result<std::string> recorder() const;

  /// The bytes with that SHA-256, which is checked.
  Result<Bytes> content(const std::string& sha256) const;

  /// content() as a function; it keeps the archive open.
  ContentSource contents() const;

  /// The same as it is stored, unchecked.
  Result<StoredContent> stored(const std::string& sha256) const;

  /// Where the program asked for the records of a process, as far as that was recorded.
  Result<RecordedCallSites> call_sites(ProcessId process) const;

  std::uint64_t size_bytes() const { return size_bytes_; }
  /// Of its format.
  std::uint32_t version() const { return version_; }

 private:
  Archive(std::filesystem::path path, std::uint64_t size_bytes, std::uint32_t version,
          std::shared_ptr<const Database> database);
  Result<Recording> read(ProcessId process, const std::optional<StepSpan>& steps) const;
  Result<ProcessRow> find_process(ProcessId process) const;
  Result<Outline> read_outline(ProcessId process) const;
  Result<Recording> read_unnamed(ProcessId process, const std::optional<StepSpan>& steps) const;

  std::filesystem::path path_;
  std::uint64_t size_bytes_;
  std::uint32_t version_;
  std::shared_ptr<const Database> database_;
};

}  // namespace compass::archive
