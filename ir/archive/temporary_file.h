// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>
#include <utility>

#include "ir/base/result.h"

/// Private to this folder.
namespace compass::archive {

/// A new empty file of mode 0600, gone again unless it was renamed.
class TemporaryFile {
 public:
  static Result<TemporaryFile> beside(const std::filesystem::path& path);
  TemporaryFile(TemporaryFile&& other) noexcept
      : name_(std::exchange(other.name_, {})), descriptor_(std::exchange(other.descriptor_, -1)) {}
  TemporaryFile& operator=(TemporaryFile&&) = delete;
  ~TemporaryFile();

  const std::string& name() const { return name_; }

  /// Once all of it is on the disk.
  Result<void> rename_to(const std::filesystem::path& path);

 private:
  TemporaryFile(std::string name, int descriptor)
      : name_(std::move(name)), descriptor_(descriptor) {}

  std::string name_;
  int descriptor_;
};

}  // namespace compass::archive
