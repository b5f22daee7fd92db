// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "ir/allocation.h"
#include "ir/evidence.h"
#include "ir/journal/entry.h"

namespace compass::archive {

/// Turns what a runtime saw into evidence: numbers of entries into records, keys of allocations
/// into ids. Evidence that names none of these is left out.
class EvidenceTable {
 public:
  /// `entry` made the record `sequence`, the last of several.
  void note_record(std::uint64_t entry, std::uint64_t sequence);
  void note_allocation(const Allocation& allocation);

  void add(const journal::Stopped& stopped);
  void add(const journal::Faults& faults);
  void add(const journal::Decisions& decisions);
  void add(const journal::Nonfinite& nonfinite);
  void add(const journal::FirstRun& first);
  /// `start`: where the transfer's address lay at that time.
  void add(const journal::FaultyTransfer& transfer, MemoryRef start,
           std::uint64_t allocation_bytes);

  /// The record that the entry made; 0: none.
  std::uint64_t record_of(std::uint64_t entry) const;

  /// 0: none.
  AllocationId allocation_of(const journal::AllocationKey& key) const;

  /// `ran` has a byte for each entry, as far as it goes.
  Evidence finish(ByteView ran);

 private:
  /// Null where the record is not known.
  Observed* observed(const journal::Doer& doer);

  std::vector<std::uint64_t> records_;  ///< by entry, less 1; 0: it made none
  std::map<std::pair<std::uint64_t, std::uint32_t>, AllocationId> allocations_;
  Evidence evidence_;
};

}  // namespace compass::archive
