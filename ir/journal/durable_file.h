// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

#include "ir/base/bytes.h"
#include "ir/base/result.h"
#include "ir/journal/own_file.h"

namespace compass::journal {

/// A file in which every byte that was stored stays, however the process that stored it ends; for
/// few bytes at any offset, mostly near the last one.
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
  ~DurableFile() { window_.unmap(); }

  /// Stores the bytes at `offset`; false, with errno, if the file cannot hold them.
  bool put(std::uint64_t offset, ByteView bytes);

  /// Ends the file at `size_bytes`, if it is still ours: nothing is stored after it.
  void end_at(std::uint64_t size_bytes);

 private:
  explicit DurableFile(OwnFile file) : file_(std::move(file)) {}
  bool show(std::uint64_t begin, std::uint64_t end);
  bool grow(std::uint64_t end);

  OwnFile file_;
  std::uint64_t size_bytes_ = 0;  ///< of the file
  Mapping window_;
  bool maps_ = true;
};

}  // namespace compass::journal
