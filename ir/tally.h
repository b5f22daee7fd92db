// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "ir/recording.h"

namespace compass {

/// From which record to which memory is there. Records are numbered in their process; 0: none.
struct Lifetime {
  std::uint64_t allocated_by = 0;
  std::uint64_t freed_by = 0;
};
struct StepTally {
  std::uint64_t launches = 0;
  std::uint64_t first_record = 0;
  std::uint64_t last_record = 0;
};
struct KindTally {
  std::uint64_t records = 0;
  std::uint64_t failed = 0;
};

/// What the records of a process say of other things, for whoever has no need of the records.
struct Tally {
  std::vector<std::uint64_t> launches;  ///< made of each distinct launch, by graphs too
  std::vector<Lifetime> lifetimes;      ///< of allocations
  std::vector<StepTally> steps;
  std::vector<KindTally> kinds;  ///< by place in RecordBody
};

/// The recording must be valid and whole.
Tally tally_of(const Recording& recording);

/// When most memory was there.
struct MemoryPeak {
  std::uint64_t size_bytes = 0;
  std::uint64_t record = 0;               ///< which brought it about; 0: there was no memory
  std::optional<StepId> step;             ///< in which, if in any
  std::vector<AllocationId> allocations;  ///< that were there, the largest first
};

/// Of memory of one kind. Needs nothing of the recording's records.
MemoryPeak peak_of(AllocationKind kind, const Recording& recording, const Tally& tally);

}  // namespace compass
