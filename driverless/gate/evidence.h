// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "driverless/gate/finding.h"
#include "ir/evidence.h"
#include "ir/names.h"
#include "ir/recording.h"

namespace compass::gate {

/// What rules ask of a recording beyond its vectors. The recording must outlive it.
class Context {
 public:
  explicit Context(const Recording& recording);

  const Recording& recording() const { return recording_; }
  const Names& names() const { return names_; }
  const Record& record(std::uint64_t sequence) const { return recording_.records.at(sequence - 1); }
  std::uint64_t launches() const { return records_.size(); }

  /// The place of a launch among the recording's launches, from 1; of a graph's launch that of the
  /// first it makes. 0 where the record makes none.
  std::uint64_t launch_ordinal(std::uint64_t record) const;
  /// The record that made the launch of that place.
  const Record& record_of_launch(std::uint64_t ordinal) const {
    return record(records_.at(ordinal - 1));
  }

  /// The allocation that the runtime made: of a block the one that it is a part of.
  AllocationId root_of(AllocationId id) const { return recording_.in_root({id, 0}).allocation; }

  /// The record that freed `allocation`, or what it is a part of, before `record`, or 0.
  std::uint64_t freed_by(AllocationId allocation, std::uint64_t record) const;

  /// The kind of the step to which `record` belongs; empty outside steps.
  std::string step_kind(const Record& record) const;

 private:
  void note_frees_of(const std::vector<std::uint64_t>& nodes, std::uint64_t launch);

  const Recording& recording_;
  Names names_;
  std::vector<std::uint64_t> ordinals_;  // by record, less 1; 0: it makes no launch
  std::vector<std::uint64_t> records_;   // by ordinal, less 1
  std::unordered_map<AllocationId, std::uint64_t> frees_;
};

/// What was seen of one launch.
struct LaunchEvidence {
  const Context& context;
  const Record& record;          ///< that made it
  const Record* node = nullptr;  ///< of a graph's launch: the record that says what the node does
  std::uint64_t ordinal = 0;
  std::vector<FaultGroup> faults;        ///< in the order of their first access
  std::vector<DecisionGroup> undefined;  ///< by undefined values; in the order of their first use

  Launch launch() const;
  const Kernel& kernel() const;

 private:
  const LaunchKernel& body() const;
};

/// What was seen of one copy or fill.
struct TransferEvidence {
  const Context& context;
  const Record& record;
  TransferFault fault;
};

/// A copy, fill, free or launch that failed, for no reason that the recording shows.
struct FailedCallEvidence {
  const Context& context;
  const Record& record;
};

/// What is wrong with the memory that a copy, fill or free asks to touch, as the recording
/// has sizes and lifetimes. Empty where nothing is known to be.
std::vector<TransferFault> faults_of_request(const Context& context, const Record& record);

/// The place of an access, with the argument that most likely led to it: the one whose allocation
/// was freed, or else the one whose allocation is nearest.
Place place_of(const LaunchEvidence& evidence, const Fault& fault);
Place place_of(const TransferEvidence& evidence);
/// The place of a use, with the argument that leads to where its value was loaded from.
Place place_of(const LaunchEvidence& evidence, const TaintedDecision& decision);

/// A finding of `rule` about one group or transfer, complete but for its hint.
Finding finding_of(std::string_view rule, Level level, const LaunchEvidence& evidence,
                   const FaultGroup& group);
Finding finding_of(std::string_view rule, Level level, const LaunchEvidence& evidence,
                   const DecisionGroup& group);
Finding finding_of(std::string_view rule, Level level, const TransferEvidence& evidence);
Finding finding_of(std::string_view rule, Level level, const FailedCallEvidence& evidence);

}  // namespace compass::gate
