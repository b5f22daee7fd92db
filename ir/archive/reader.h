// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

#include "ir/base/bytes.h"
#include "ir/base/result.h"
#include "ir/recording.h"

namespace compass::archive {

class Database;

/// An archive, open for reading. Takes any file: what is no archive, or a damaged one, is an error
/// that names the file and the place. Nothing may write to the file meanwhile; a replacement by
/// rename does no harm. Threads: one at a time.
class Archive {
 public:
  static Result<Archive> open(const std::filesystem::path& path);

  /// Everything but the bytes of contents. Ids and offsets in it are checked: an id that is not 0
  /// indexes its vector, an offset is at most its allocation's size, an argument lies inside its
  /// kernel's kernarg segment, events and streams number at most the records that create them.
  Result<Recording> recording() const;

  /// The bytes with that SHA-256, which is checked.
  Result<Bytes> content(const std::string& sha256) const;

  /// content() as a function; it keeps the archive open.
  ContentSource contents() const;

  std::uint64_t size_bytes() const { return size_bytes_; }

 private:
  Archive(std::filesystem::path path, std::uint64_t size_bytes,
          std::shared_ptr<const Database> database);

  std::filesystem::path path_;
  std::uint64_t size_bytes_;
  std::shared_ptr<const Database> database_;
};

}  // namespace compass::archive
