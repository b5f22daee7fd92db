// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>

#include "ir/base/result.h"

namespace compass::archive {

struct SealSummary {
  std::uint64_t records = 0;
  bool complete = true;
  std::string incomplete_cause;  ///< where not complete
};

/// Makes an archive from the journals that the processes of one recording wrote; a folder stands
/// for the journals in it. A torn journal gives an archive of all before the tear, which says that
/// it is incomplete. Processes that made no HIP call are passed over: kNotFound where no process
/// made one, kUnsupported where several did; the message has a command line for each of these.
Result<SealSummary> seal(std::span<const std::filesystem::path> journals,
                         const std::filesystem::path& output);

/// The command line that makes `output` of `journals`, as a shell takes it.
std::string seal_command(const std::filesystem::path& journals,
                         const std::filesystem::path& output);

}  // namespace compass::archive
