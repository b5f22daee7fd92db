// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ir/journal/durable_file.h"
#include "ir/journal/entry.h"

namespace compass::journal {

/// A journal is a 16-byte header (8 bytes "CMPSJRNL", 32-bit version, 32 bits zero) and then
/// frames: 32-bit payload size, 64-bit XXH3 of the payload, payload (one encoded Entry). After the
/// last frame there may be zeros. Entries are called by their number: 1, 2, … in the journal.
///
/// Beside it there may be a file NAME.ran with a byte for each entry, 1 where what the entry asked
/// for has been carried out: launches, copies and fills may run long after they were asked for, or
/// never. It is no entry, so that a launch which does nothing wrong costs one byte.
inline constexpr std::string_view kMagic = "CMPSJRNL";
inline constexpr std::uint32_t kVersion = 4;

/// Appends entries to a file. A killed process loses nothing that was appended before, and an
/// append is no system call (DurableFile). Never aborts the process it lives in: when the file
/// cannot hold more, append() fails, and nothing else. Only exhausted memory throws
/// (std::bad_alloc). Threads: callers take a lock.
class Writer {
 public:
  /// Creates the file, mode 0600; fails if it exists.
  static Result<Writer> create(const char* path);

  /// The entry's number; 0 once anything could not be written: then nothing more is.
  std::uint64_t append(const Entry& entry);
  /// The same of an entry that is encoded already.
  std::uint64_t append_encoded(ByteView payload);
  /// What the entry asked for has been carried out.
  void note_ran(std::uint64_t entry);
  /// Why not, as errno has it, once append() gave 0.
  int failure() const { return failure_; }
  /// Of the last entry; 0 before the first.
  std::uint64_t entries() const { return entries_; }

  /// Nothing will be appended.
  void end();

 private:
  Writer(std::string path, DurableFile file) : path_(std::move(path)), file_(std::move(file)) {}
  std::uint64_t append_frame();

  std::string path_;
  DurableFile file_;
  std::optional<DurableFile> ran_;  ///< made when it is needed
  bool ran_fails_ = false;
  int failure_ = 0;
  std::uint64_t size_bytes_ = 0;
  std::uint64_t entries_ = 0;
  Bytes frame_;  ///< reused from entry to entry
};

struct Contents {
  std::vector<Entry> entries;
  bool torn = false;  ///< the file ends inside a frame, or a checksum does not fit
  std::string tear;   ///< where and why, if torn
  Bytes ran;          ///< for each entry, as far as it goes, whether it has been carried out
};

/// Everything before the first damage. An error only where the file cannot be read or its header is
/// not a journal's.
Result<Contents> read(const std::filesystem::path& path);

/// The first entry alone; Start{} where it cannot be read.
Start read_start(const std::filesystem::path& path);

}  // namespace compass::journal
