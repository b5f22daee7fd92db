// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>

#include "ir/base/bytes.h"
#include "ir/base/result.h"

namespace compass::journal {

/// A file in which every byte that was stored stays, however the process that stored it ends.
///
/// Storing costs no system call: the file is mapped, in a window that moves along, and room is
/// taken from the file system before it is mapped, so that a full disk is a failure and no signal.
/// Where a file system maps no shared files, each store is a write. Bytes that were never stored
/// are zero. Threads: callers take a lock.
class DurableFile {
 public:
  /// Makes the file, mode 0600; fails if it exists.
  static Result<DurableFile> create(const char* path);
  DurableFile(DurableFile&& other) noexcept;
  DurableFile& operator=(DurableFile&&) = delete;
  ~DurableFile();

  /// Stores the bytes at `offset`; false, with errno, if the file cannot hold them: a full disk, a
  /// limit on file sizes, a program that closes descriptors it did not open. Four bytes are stored
  /// all at once or not at all, and after what was stored before.
  bool put(std::uint64_t offset, ByteView bytes);

  /// Ends the file at `size_bytes`, if it is still ours: nothing is stored after it.
  void end_at(std::uint64_t size_bytes);

 private:
  explicit DurableFile(int descriptor) : descriptor_(descriptor) {}
  bool still_ours() const;
  bool show(std::uint64_t begin, std::uint64_t end);
  bool grow(std::uint64_t end);
  bool write(std::uint64_t offset, ByteView bytes);
  void unmap();

  int descriptor_;
  std::uint64_t device_ = 0, inode_ = 0;
  std::uint64_t limit_bytes_ = 0;
  std::uint64_t size_bytes_ = 0;  ///< of the file
  std::byte* window_ = nullptr;   ///< maps [window_begin_, window_end_)
  std::uint64_t window_begin_ = 0, window_end_ = 0;
  bool maps_ = true;
};

}  // namespace compass::journal
