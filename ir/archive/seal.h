// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "ir/archive/resolve.h"
#include "ir/base/result.h"

namespace compass::archive {

struct SealSummary {
  std::uint32_t processes = 0;
  std::uint64_t records = 0;
  bool complete = true;
  std::string
      incomplete_cause;        ///< where not complete; of several processes with each one's number
  std::uint64_t contents = 0;  ///< of copies that were kept
  GivenUpContents given_up;
  bool has_work = false;  ///< a process asked something of a device
};

/// "12 records of 2 processes to run.compass, incomplete: …; contents: gave up …".
std::string description(const SealSummary& summary, const std::filesystem::path& output);

/// Makes an archive from the journals that the processes of one recording wrote; a folder stands
/// for the journals in it, and a journal that is given twice is taken once. A torn journal gives
/// all before the tear, and the process says that it is incomplete. Processes that made no HIP call
/// and no mark are passed over: kNotFound where no process did.
Result<SealSummary> seal(std::span<const std::filesystem::path> journals,
                         const std::filesystem::path& output);

/// Takes a process, and gives up on an error.
using TakeProcess = std::function<Result<void>(const Resolved& process)>;

/// The processes that such journals hold, one after the other in the order of their ids: they may
/// be large. Which journals were passed over, with who wrote them.
Result<std::vector<std::string>> resolve_each(std::span<const std::filesystem::path> journals,
                                              const TakeProcess& take);

/// The command line that makes `output` of `journals`, as a shell takes it.
std::string seal_command(const std::filesystem::path& journals,
                         const std::filesystem::path& output);

}  // namespace compass::archive
