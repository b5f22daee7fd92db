// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ir/access.h"
#include "ir/base/bytes.h"
#include "ir/fault.h"

namespace compass::journal {

/// What a runtime saw of what it carried out, one entry for all that is alike. Whose doing it was
/// is an entry's number, and, where that launches a graph, the number of the entry that made the
/// node; else 0. In the faults, ids of allocations have no meaning: AllocationKey has one.

struct Doer {
  std::uint64_t entry = 0;
  std::uint64_t node = 0;
};

/// Memory as the runtime allocated it: the `generation`-th time that some was at `base`. Generation
/// 0: none.
struct AllocationKey {
  std::uint64_t base = 0;
  std::uint32_t generation = 0;
};

struct Stopped {  ///< a launch that could not run to its end
  Doer doer;
  std::string cause;
};
struct Faults {  ///< accesses of a launch, alike in kind, instruction and allocation
  Doer doer;
  Fault first;
  AllocationKey allocation;
  std::uint64_t accesses = 0;
};
struct Decisions {  ///< uses of values, alike in what they decide, where, and whence they came
  Doer doer;
  TaintedDecision first;  ///< origin_writer is an entry's number
  AllocationKey origin;
  std::uint64_t lanes = 0;
};
struct FaultyTransfer {  ///< a copy or fill
  Doer doer;
  TransferFault fault;
  std::uint64_t address = 0;
};
struct AllocationAccesses {
  AllocationKey allocation;
  AccessRuns reads, writes;
};
struct Accesses {  ///< all of a launch, which has run to its end
  Doer doer;
  std::vector<AllocationAccesses> allocations;
};
struct SameAccesses {  ///< those of an earlier entry once more
  Doer doer;
  std::uint64_t entry = 0;
};
struct Nonfinite {  ///< the first infinity or NaN that a launch has stored
  Doer doer;
  AllocationKey allocation;
  std::uint64_t offset_bytes = 0;
};
struct FirstRun {  ///< an instruction that the process has not run before
  std::string architecture;
  std::string mnemonic;
  std::string basis;  ///< as name_of(Basis)
};
struct LoadedContent {
  AllocationKey allocation;
  AccessRuns runs;
  Bytes content;  ///< of the runs, in order
};
struct Index {  ///< what a launch loaded to form addresses, predicates and branches
  Doer doer;
  bool complete = true;  ///< false: there was more
  std::vector<LoadedContent> allocations;
};

}  // namespace compass::journal
