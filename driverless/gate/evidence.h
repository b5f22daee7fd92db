// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "driverless/gate/finding.h"
#include "driverless/machine/fault.h"
#include "ir/recording.h"

namespace compass::gate {

/// What rules ask of a recording beyond its vectors. The recording must outlive it.
class Context {
 public:
  explicit Context(const Recording& recording);

  const Recording& recording() const { return recording_; }
  const Record& record(std::uint64_t sequence) const { return recording_.records.at(sequence - 1); }
  std::uint64_t launches() const { return ordinals_.size(); }

  /// The place of a launch among the recording's launches, from 1; 0 where the record is none.
  std::uint64_t launch_ordinal(std::uint64_t record) const;

  /// The record that freed `allocation` before `record`, or 0.
  std::uint64_t freed_by(AllocationId allocation, std::uint64_t record) const;

  /// The kind of the step to which `record` belongs; empty outside steps.
  std::string step_kind(const Record& record) const;

 private:
  const Recording& recording_;
  std::unordered_map<std::uint64_t, std::uint64_t> ordinals_;
  std::unordered_map<AllocationId, std::uint64_t> frees_;
};

/// Accesses of one launch that went wrong in the same way at the same instruction.
struct FaultGroup {
  Fault first;
  std::uint64_t accesses = 0;
};

/// What was seen of one launch.
struct LaunchEvidence {
  const Context& context;
  const Record& record;
  std::uint64_t ordinal = 0;
  std::vector<FaultGroup> faults;  ///< in the order of their first access

  const Launch& launch() const;
  const Kernel& kernel() const;
};

/// What was seen of one copy or fill.
struct TransferEvidence {
  const Context& context;
  const Record& record;
  TransferFault fault;
};

/// The place of an access, with the argument that most likely led to it: the one whose allocation
/// was freed, or else the one whose allocation is nearest.
Place place_of(const LaunchEvidence& evidence, const Fault& fault);
Place place_of(const TransferEvidence& evidence);

/// A finding of `rule` about one group or transfer, complete but for its hint.
Finding finding_of(std::string_view rule, Level level, const LaunchEvidence& evidence,
                   const FaultGroup& group);
Finding finding_of(std::string_view rule, Level level, const TransferEvidence& evidence);

}  // namespace compass::gate
