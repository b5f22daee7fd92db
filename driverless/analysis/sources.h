// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "driverless/analysis/definitions.h"

namespace compass::analysis {

/// One thing that a value was computed from, as far back as its launch goes.
struct ValueSource {
  enum class Kind : std::uint8_t {
    kMemory,      ///< a load of what was there before, or what another lane stored
    kArgument,    ///< a load from the kernarg segment
    kStart,       ///< what the wavefront started with: ids of workgroup and work-item
    kOtherLane,   ///< another lane's value
    kMatrix,      ///< a matrix instruction
    kTraceBegin,  ///< what was computed before the trace begins
  };
  Kind kind = Kind::kStart;
  std::size_t step = 0;           ///< the load, or the instruction that took it in
  std::uint64_t pc = 0;           ///< its own
  TracedAccess access;            ///< kMemory, kArgument
  std::vector<std::uint32_t> words;  ///< what it was; at most four registers
};

/// What the address of the memory instruction at `step` was computed from; pointers among the
/// arguments too. Each once, in the order in which they were taken in.
std::vector<ValueSource> sources_of_address(const Definitions& definitions, std::size_t step);

/// What the data of the store at `step` was computed from.
std::vector<ValueSource> sources_of_data(const Definitions& definitions, std::size_t step);

/// What all sources of the instruction at `step` were computed from: of one that decides.
std::vector<ValueSource> sources_of_all(const Definitions& definitions, std::size_t step);

}  // namespace compass::analysis
