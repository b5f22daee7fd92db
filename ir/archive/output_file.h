// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>

#include "ir/base/result.h"

namespace compass::archive {

/// The file that writing to `output` makes or replaces: `output`, or what it leads to where it is a
/// symbolic link. An error, which does not name `output`, where that is something that an archive
/// must not take the place of: a folder, a device, a FIFO, a socket.
Result<std::filesystem::path> output_file(const std::filesystem::path& output);

}  // namespace compass::archive
