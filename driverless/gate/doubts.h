// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <vector>

#include "driverless/gate/evidence.h"

namespace compass::gate {

/// Launches, by their ordinals, of which one playback says too little.
struct Doubts {
  std::set<std::uint64_t> undefined;  ///< undefined values decide something
  std::set<std::uint64_t> strays;     ///< touch what pointers in memory may lead to
  /// Have stored infinities or NaN: the first place of each launch.
  std::map<std::uint64_t, MemoryRef> nonfinite;

  bool empty() const { return undefined.empty() && strays.empty() && nonfinite.empty(); }
};

/// What further playbacks have shown of them. What is not here was not found out.
struct Answers {
  std::map<std::uint64_t, Confirmation> undefined;
  std::map<std::uint64_t, std::vector<TouchedAllocation>> strays;
  std::map<std::uint64_t, NonfiniteOrigin> nonfinite;
};

}  // namespace compass::gate
