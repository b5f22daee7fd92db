// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>

#include "ir/base/bytes.h"
#include "ir/base/result.h"

namespace compass::journal {

/// A range of a file that this process has mapped.
struct Mapping {
  std::byte* bytes = nullptr;  ///< of the byte at `begin`; null: none
  std::uint64_t begin = 0, end = 0;

  std::uint64_t size_bytes() const { return end - begin; }
  std::byte* at(std::uint64_t offset) const { return bytes + (offset - begin); }
  /// Makes its pages ready to be stored to, if the system can do that.
  void prefault() const;
  void unmap();
};

/// A file in somebody else's process, where descriptors are closed and their numbers used again at
/// any moment: before each use it is made sure that the number still names the file.
///
/// Nothing here raises SIGXFSZ, and storing to what reserve() has granted raises no SIGBUS.
/// Threads: any; but restore() and close() are one thread's.
class OwnFile {
 public:
  /// Makes the file, mode 0600; fails if it exists.
  static Result<OwnFile> create(const char* path);
  OwnFile(OwnFile&& other) noexcept;
  OwnFile& operator=(OwnFile&&) = delete;
  ~OwnFile() { close(); }

  /// Whether the descriptor names the file.
  bool is_open() const;
  /// Opens the file once more, by its path, where it does not. False, with errno, if that fails.
  bool restore();

  /// Takes room from the file system, so that the file ends at `end` or later. 0 or the cause.
  /// kOrFail: EOPNOTSUPP where the file system has no such operation; else zeros are written.
  enum class Emulation : std::uint8_t { kOrFail, kByZeros };
  int reserve(std::uint64_t begin, std::uint64_t end, Emulation emulation) const;
  /// Without bytes where it cannot be mapped.
  Mapping map(std::uint64_t begin, std::uint64_t end) const;
  bool write(std::uint64_t offset, ByteView bytes) const;
  /// Hands the range to the disk and waits until it is there.
  void write_back(std::uint64_t begin, std::uint64_t end) const;
  void truncate(std::uint64_t size_bytes) const;
  /// Gives the descriptor back, if it is ours.
  void close();

 private:
  OwnFile(const char* path, int descriptor) : path_(path), descriptor_(descriptor) {}
  bool adopt();

  std::string path_;
  std::atomic<int> descriptor_;
  std::uint64_t device_ = 0, inode_ = 0;
};

}  // namespace compass::journal
