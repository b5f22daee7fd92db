// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <string>

#include "ir/archive/reader.h"
#include "ir/base/bytes.h"
#include "ir/base/result.h"
#include "ir/call_site.h"
#include "ir/recording.h"

namespace compass::archive {

/// Bytes by their SHA-256 (lower-case hex): code objects and the contents of copies. Views: whoever
/// makes them keeps the bytes.
using Contents = std::map<std::string, ByteView>;

/// Gives a content by its SHA-256 as it is to be stored.
using Frames = std::function<Result<StoredContent>(const std::string& sha256)>;

/// What writes archives here, as these say it: "compass-capture 0.1.0".
std::string this_recorder();

/// Writes an archive, mode 0600, in place of the regular file that was at `output`, or that
/// `output` links to. The file is made beside it under another name and renamed when it is
/// complete; where that does not come to pass, nothing is left behind.
class Writer {
 public:
  static Result<Writer> create(const std::filesystem::path& output,
                               const std::string& recorder = this_recorder());
  Writer(Writer&&) noexcept;
  Writer& operator=(Writer&&) noexcept;
  ~Writer();

  /// The next process, of which `recording.process.id` is the number, from 1. Every content that
  /// the recording names must be in `contents`. After an error there is no going on.
  Result<void> add(const Recording& recording, const Contents& contents,
                   const RecordedCallSites& call_sites = {});
  /// The same with contents that somebody has stored before.
  Result<void> add(const Recording& recording, const Frames& frames,
                   const RecordedCallSites& call_sites);
  Result<void> finish() &&;

 private:
  class State;
  Writer(std::filesystem::path output, std::unique_ptr<State> state);
  Result<void> named(Result<void> result) const;

  std::filesystem::path output_;
  std::unique_ptr<State> state_;
};

/// An archive of one process.
Result<void> write(const std::filesystem::path& output, const Recording& recording,
                   const Contents& contents);

}  // namespace compass::archive
