// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "cli/unrecorded.h"
#include "ir/base/result.h"

namespace compass::cli {

/// The private folder that the processes of a program write their journals to. It goes when this
/// does.
class JournalFolder {
 public:
  /// NAME.journal-XXXXXX, where `name` may have a path.
  static Result<JournalFolder> create(const std::filesystem::path& name);
  JournalFolder(JournalFolder&& other) noexcept : path_(std::exchange(other.path_, {})) {}
  JournalFolder& operator=(JournalFolder&&) = delete;
  ~JournalFolder();

  const std::filesystem::path& path() const { return path_; }
  /// Leaves the journals to the user; where they are.
  std::filesystem::path keep() { return std::exchange(path_, {}); }

  /// Why a recorder gave up, as its mark in the folder says; empty where none did.
  std::string stop_cause() const;
  /// Whether any process called HIP, if only to ask.
  bool called_hip() const;
  /// Whether the audit library has told the user that an older interface is not offered.
  bool told_of_interface() const;
  /// The programs that ran without the recorder, by name.
  std::vector<Unrecorded> unrecorded() const;

 private:
  explicit JournalFolder(std::filesystem::path path) : path_(std::move(path)) {}
  std::filesystem::path path_;
};

}  // namespace compass::cli
