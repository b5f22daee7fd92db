// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "ir/base/bytes.h"

namespace compass::capture {

/// Which entries asked for the launches that were made of late: programs make the same ones again
/// and again, and need not write down all of one each time.
class Launches {
 public:
  Launches() : slots_(kSlots) {}

  /// The entry that asked for a launch of these bytes first. 0 if that is not remembered: then it
  /// is for the caller to set. Null for a launch that is too large to be remembered.
  std::uint64_t* find(ByteView launch);
  void clear();

 private:
  static constexpr std::size_t kSlots = 4096;
  static constexpr std::size_t kMostBytes = 1024;
  struct Slot {
    std::uint64_t entry = 0;
    Bytes launch;
  };

  std::vector<Slot> slots_;
};

}  // namespace compass::capture
