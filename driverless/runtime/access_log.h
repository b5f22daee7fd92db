// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "driverless/runtime/operation.h"
#include "ir/base/bytes.h"
#include "ir/journal/entry.h"

namespace compass {

/// Makes entries of what launches have read and written. What an earlier entry of the same journal
/// says already is named by that. A process has one journal: a child by fork cannot use its
/// parent's devices. Threads: one at a time.
class AccessLog {
 public:
  /// The entry to append, encoded. Valid until the next call.
  ByteView encode(Tag tag, std::vector<journal::AllocationAccesses> allocations);
  /// The number that the entry made last got in the journal; 0: it was not written.
  void set_number(std::uint64_t entry);

 private:
  /// Together the entries that can be named have at most so many bytes.
  static constexpr std::size_t kMostBytes = std::size_t{1} << 24;

  Bytes encoded_;
  std::string made_;  ///< what the entry made last says, if it may be named later
  std::unordered_map<std::string, std::uint64_t> entries_;  ///< by what they say
  std::size_t size_bytes_ = 0;
  std::uint64_t nothing_ = 0;  ///< the entry of a launch that touched nothing; 0: none yet
  bool made_nothing_ = false;  ///< the entry made last is one
};

}  // namespace compass
