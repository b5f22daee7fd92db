// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "driverless/inspection/rerun.h"
#include "ir/coverage.h"
#include "ir/recording.h"

namespace compass::inspection {

/// A launch, or what a copy brought to the host, that is not as it was recorded.
struct Difference {
  std::uint64_t record = 0;
  std::uint64_t node = 0;  ///< where it launches a graph: the record of the node
  std::uint64_t byte = 0;  ///< of what a copy brought: the first that differs
  std::byte recorded{0}, played{0};
};

/// What a playback has in common with what was recorded.
struct Comparison {
  std::uint64_t same = 0, different = 0;
  std::optional<Difference> first;  ///< of those that differ
};

/// What one playback of a recording shows.
struct Interpretation {
  Coverage coverage;  ///< of this playback
  /// The same with what the recording covers: its accesses, and the instructions that it knows of.
  Coverage joined;
  /// What was recorded, and for launches of which nothing was, what they read and wrote now, unless
  /// they could not be interpreted.
  std::vector<AccessSummary> access_summaries;
  std::vector<LaunchAccesses> launch_accesses;
  std::uint64_t added = 0;            ///< launches of which nothing was recorded
  Comparison accesses;                ///< of launches of which that was recorded
  Comparison results;                 ///< of what copies brought to the host
  std::uint64_t unknown_results = 0;  ///< that equal what was recorded as far as they are known

  bool is_as_recorded() const { return accesses.different == 0 && results.different == 0; }
};

/// Plays the recording once. `on_record` is told of each record that is about to be played.
///
/// Variables of a code object, which not every runtime watches, count as accessed also where the
/// recording does not say so.
Result<Interpretation> interpret(const Stage& stage,
                                 const std::function<void(const Record&)>& on_record);

}  // namespace compass::inspection
