// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ir/journal/append_file.h"
#include "ir/journal/durable_file.h"
#include "ir/journal/entry.h"

namespace compass::journal {

/// A journal is a 16-byte header (8 bytes "CMPSJRNL", 32-bit version, 32 bits zero) and then
/// frames: 32-bit payload size, 64-bit XXH3 of the payload, payload (one encoded Entry), and zeros
/// up to a multiple of four bytes. After the last frame there may be zeros. Entries are called by
/// their number: 1, 2, … in the journal.
///
/// Beside it there may be a file NAME.ran with a byte for each entry, 1 where what the entry asked
/// for has been carried out: launches, copies and fills may run long after they were asked for, or
/// never. It is no entry, so that a launch which does nothing wrong costs one byte.
inline constexpr std::string_view kMagic = "CMPSJRNL";
inline constexpr std::uint32_t kVersion = 6;

/// How much memory the recorder may use between the program and the disk; the environment variable
/// that says so, as "64MiB".
inline constexpr std::uint64_t kDefaultBufferBytes = 64 << 20;
inline constexpr const char* kBufferVariable = "COMPASS_BUFFER";
Result<std::uint64_t> parse_buffer(std::string_view text);

/// Appends entries to a file. A killed process loses nothing that was appended before, and an
/// append is mostly no system call (AppendFile). Never aborts the process it lives in: when the
/// file cannot hold more, append() fails, and nothing else. Only exhausted memory throws
/// (std::bad_alloc). Threads: callers take a lock.
class Writer {
 public:
  /// Creates the file, mode 0600; fails if it exists.
  static Result<Writer> create(const char* path, std::uint64_t buffer_bytes = kDefaultBufferBytes);

  /// The entry's number; 0 once anything could not be written: then nothing more is.
  std::uint64_t append(const Entry& entry);
  /// The same of an entry that is encoded already.
  std::uint64_t append_encoded(ByteView payload);
  /// What the entry asked for has been carried out.
  void note_ran(std::uint64_t entry);
  /// Whether an entry's contents are to be kept, or the disk is behind and they are given up.
  bool has_room_for_contents(std::uint64_t size_bytes) {
    return file_->has_room_for_contents(size_bytes);
  }
  /// Why not, as errno has it, once append() gave 0.
  int failure() const { return failure_; }
  /// Of the last entry; 0 before the first.
  std::uint64_t entries() const { return entries_; }
  /// For a thread that serves it.
  const std::shared_ptr<AppendFile>& file() const { return file_; }

  /// Nothing will be appended.
  void end();
  /// In a forked child: leaves the journal to the parent.
  void abandon() { file_->abandon(); }

 private:
  Writer(std::string path, std::shared_ptr<AppendFile> file)
      : path_(std::move(path)), file_(std::move(file)) {}
  std::uint64_t append_in_place(std::size_t payload_bytes);
  std::uint64_t append_apart();

  std::string path_;
  std::shared_ptr<AppendFile> file_;
  std::optional<DurableFile> ran_;  ///< made when it is needed
  bool ran_fails_ = false;
  int failure_ = 0;
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
