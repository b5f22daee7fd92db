// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ir/access.h"
#include "ir/base/bytes.h"
#include "ir/ids.h"

namespace compass {

// The bytes that a launch loaded to form an address, a predicate or a branch, as they were when it
// loaded them first. What it had written itself by then is not among them.

/// Some of them, as they were observed: those of one allocation, in the order of their addresses.
struct LoadedBytes {
  AllocationId allocation;
  AccessRuns runs;
  Bytes bytes;
};

/// Those of one launch.
struct LoadedIndex {
  std::vector<LoadedBytes> allocations;  ///< each once, by their ids
  bool complete = true;                  ///< false: there were more
};

/// Some of them, as they are recorded.
struct IndexContent {
  AllocationId allocation;
  AccessRuns runs;
  std::string content;  ///< SHA-256 of the bytes
  friend bool operator==(const IndexContent&, const IndexContent&) = default;
};

/// Those of one launch: as in LaunchAccesses, of `record`, or of its `node`.
struct LaunchIndex {
  std::uint64_t record = 0;
  std::uint64_t node = 0;
  bool complete = true;                ///< false: there were more than a recording keeps
  std::vector<IndexContent> contents;  ///< by allocation
};

}  // namespace compass
