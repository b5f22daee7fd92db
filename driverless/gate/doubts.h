// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "driverless/gate/evidence.h"

namespace compass::gate {

/// An instruction of a kernel.
using KernelPlace = std::pair<KernelId, std::uint64_t>;  // and the pc
/// What a lane of a launch must not have accessed.
struct FaultyAccess {
  std::uint64_t ordinal = 0;
  Fault fault;
};

/// Launches, by their ordinals, of which one playback says too little.
struct Doubts {
  std::set<std::uint64_t> undefined;  ///< undefined values decide something
  std::set<std::uint64_t> strays;     ///< touch what pointers in memory may lead to
  /// Have stored infinities or NaN: the first place of each launch.
  std::map<std::uint64_t, MemoryRef> nonfinite;

  /// Instructions that leave a buffer, where several arguments are pointers: the first access of
  /// each.
  std::map<KernelPlace, FaultyAccess> faults;
};

/// What further playbacks have shown of them. What is not here was not found out.
struct Answers {
  std::map<std::uint64_t, Confirmation> undefined;
  std::map<std::uint64_t, std::vector<TouchedAllocation>> strays;
  std::map<std::uint64_t, NonfiniteOrigin> nonfinite;
  /// The argument whose pointer the instruction follows, by its offset in the kernarg segment.
  std::map<KernelPlace, std::uint32_t> arguments;
};

}  // namespace compass::gate
