// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "ir/journal/file.h"

namespace compass::capture {

/// A program started under the recorder, in a folder of its own that goes with this object. For
/// tests; files are named by environment variables that meson sets.
class RecordedRun {
 public:
  struct Options {
    bool preload = true;
    std::vector<std::string> environment;  ///< "NAME=value"
    std::filesystem::path journal_folder;  ///< empty: "journals" in the run's folder
  };

  RecordedRun(const std::vector<std::string>& command, const Options& options);
  explicit RecordedRun(const std::vector<std::string>& command) : RecordedRun(command, Options{}) {}
  RecordedRun(const RecordedRun&) = delete;
  RecordedRun& operator=(const RecordedRun&) = delete;
  ~RecordedRun();

  /// Waits for the end; the status as waitpid gives it.
  int wait();
  void kill();
  pid_t process() const { return process_; }

  std::string output() const;
  std::string errors() const;
  /// The journals' paths, by name.
  std::vector<std::filesystem::path> journals() const;

 private:
  std::filesystem::path folder_;
  pid_t process_ = -1;
};

/// What the environment variable holds; fails the test where it is not set.
std::string test_file(const char* variable);

/// The entries of a journal that must be readable.
journal::Contents read_journal(const std::filesystem::path& path);

}  // namespace compass::capture
