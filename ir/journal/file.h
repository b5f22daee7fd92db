// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "ir/journal/entry.h"

namespace compass::journal {

/// A journal is a 16-byte header (8 bytes "CMPSJRNL", 32-bit version, 32 bits zero) and then
/// frames: 32-bit payload size, 64-bit XXH3 of the payload, payload (one encoded Entry).
inline constexpr std::string_view kMagic = "CMPSJRNL";
inline constexpr std::uint32_t kVersion = 1;

/// Appends entries to a file. Every entry is one write(2), so that a killed process loses nothing
/// that was appended before. Never aborts the process it lives in: a full disk, a limit on file
/// sizes or a program that closes descriptors it did not open make append() fail, and nothing else.
/// Only exhausted memory throws (std::bad_alloc). Threads: callers take a lock.
class Writer {
 public:
  /// Creates the file, mode 0600; fails if it exists.
  static Result<Writer> create(const char* path);
  Writer(Writer&& other) noexcept;
  Writer& operator=(Writer&&) = delete;
  ~Writer();

  /// False once anything could not be written; then nothing more is.
  bool append(const Entry& entry);
  /// Why not, as errno has it, once append() was false.
  int failure() const { return failure_; }

 private:
  explicit Writer(int descriptor) : descriptor_(descriptor) {}
  /// Whether the descriptor still names our file: the program may have closed and reused its
  /// number.
  bool still_ours() const;
  bool write(ByteView bytes);

  int descriptor_;
  int failure_ = 0;
  std::uint64_t device_ = 0;
  std::uint64_t inode_ = 0;
  std::uint64_t size_bytes_ = 0;
  std::uint64_t limit_bytes_ = 0;
  Bytes frame_;  ///< reused from entry to entry
};

struct Contents {
  std::vector<Entry> entries;
  bool torn = false;  ///< the file ends inside a frame, or a checksum does not fit
  std::string tear;   ///< where and why, if torn
};

/// Everything before the first damage. An error only where the file cannot be read or its header is
/// not a journal's.
Result<Contents> read(const std::filesystem::path& path);

}  // namespace compass::journal
