// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "ir/base/bytes.h"
#include "ir/base/result.h"
#include "ir/recording.h"

namespace compass::archive {

/// Bytes by their SHA-256 (lower-case hex): code objects and the contents of copies. Views: whoever
/// makes them keeps the bytes.
using Contents = std::map<std::string, ByteView>;

/// Writes an archive, mode 0600, in place of the regular file that was at `output`, or that
/// `output` links to. The file is made beside it under another name and renamed when it is
/// complete; on an error nothing is left behind. Every content that the recording names must be in
/// `contents`.
Result<void> write(const std::filesystem::path& output, const Recording& recording,
                   const Contents& contents);

}  // namespace compass::archive
