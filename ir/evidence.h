// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "ir/coverage.h"
#include "ir/fault.h"

namespace compass {

/// Accesses of one launch that went wrong in the same way at the same instruction.
struct FaultGroup {
  Fault first;
  std::uint64_t accesses = 0;
};

/// Uses of values that are not known, alike in what they decide, where, and whence they came.
struct DecisionGroup {
  TaintedDecision first;
  std::uint64_t lanes = 0;
};

/// What a runtime that interprets saw of one operation as it carried it out, beyond that it did.
struct Observed {
  std::vector<FaultGroup> faults;
  std::vector<DecisionGroup> decisions;
  std::vector<TransferFault> transfers;
  MemoryRef nonfinite;     ///< where a launch has stored an infinity or NaN first; null: nowhere
  std::string stop_cause;  ///< why a launch could not run to its end; empty: it could
};

/// What was seen of a recording while it was made. Operations are called by the record that asked
/// for them and, where that launches a graph, the record that made the node; else 0.
struct Evidence {
  std::vector<bool> ran;  ///< by record, from 1: its operation was carried out, to its end
  std::map<std::pair<std::uint64_t, std::uint64_t>, Observed> observed;
  std::vector<RanInstruction> instructions;  ///< that have run; in order, each once

  bool has_run(std::uint64_t record) const { return record < ran.size() && ran[record]; }
};

}  // namespace compass
