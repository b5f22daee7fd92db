// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "ir/base/bytes.h"

namespace compass::capture {

/// Which entries asked for the launches that were made of late: programs make the same ones again
/// and again, and need not write down all of one each time. Launches are told apart by 128 bits of
/// hash, so that remembering one takes no memory and little of the cache.
class Launches {
 public:
  Launches() : slots_(kSlots) {}

  /// The entry that asked for a launch of these bytes first. 0 if that is not remembered: then it
  /// is for the caller to set. Valid until the next call.
  std::uint64_t& find(ByteView launch);
  void clear();

 private:
  static constexpr std::size_t kSlots = 4096;
  struct Slot {
    std::uint64_t low = 0, high = 0;  ///< of the hash
    std::uint64_t entry = 0;
  };

  std::vector<Slot> slots_;
};

}  // namespace compass::capture
