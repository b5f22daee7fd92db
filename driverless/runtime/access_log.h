// SPDX-License-Identifier: MIT
#pragma once

#include <sys/types.h>

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
/// says already is named by that. Threads: one at a time.
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
  pid_t process_ = 0;  ///< whose journal it is: a child by fork has its own
};

}  // namespace compass
