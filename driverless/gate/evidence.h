// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "driverless/arch/arch.h"
#include "driverless/gate/finding.h"
#include "driverless/machine/shadow.h"
#include "ir/evidence.h"
#include "ir/names.h"
#include "ir/recording.h"

namespace compass::gate {

/// What rules ask of a recording beyond its vectors. The recording must outlive it.
class Context {
 public:
  /// `architecture`: on which the launches ran; null: it is not known. Both must outlive it.
  explicit Context(const Recording& recording, const arch::Architecture* architecture = nullptr);

  const Recording& recording() const { return recording_; }
  const Names& names() const { return names_; }
  const arch::Architecture* architecture() const { return architecture_; }
  const Record& record(std::uint64_t sequence) const { return recording_.records.at(sequence - 1); }
  std::uint64_t launches() const { return launches_.size(); }

  /// The place of a launch among the recording's launches, from 1; of a graph's launch that of the
  /// first it makes. 0 where the record makes none.
  std::uint64_t launch_ordinal(std::uint64_t record) const;
  /// The record that made the launch of that place.
  const Record& record_of_launch(std::uint64_t ordinal) const {
    return record(launches_.at(ordinal - 1).record);
  }
  /// The record that says what it does: the same, or of a graph's launch that of the node.
  const Record& body_of_launch(std::uint64_t ordinal) const {
    const Made& made = launches_.at(ordinal - 1);
    return record(made.node == 0 ? made.record : made.node);
  }

  /// The allocation that the runtime made: of a block the one that it is a part of.
  AllocationId root_of(AllocationId id) const { return recording_.in_root({id, 0}).allocation; }

  /// The record that freed `allocation`, or what it is a part of, before `record`, or 0.
  std::uint64_t freed_by(AllocationId allocation, std::uint64_t record) const;

  /// The kind of the step to which `record` belongs; empty outside steps.
  std::string step_kind(const Record& record) const;

 private:
  struct Made {
    std::uint64_t record = 0;
    std::uint64_t node = 0;  // 0: no graph
  };

  void note_frees_of(const std::vector<std::uint64_t>& nodes, std::uint64_t launch);

  const Recording& recording_;
  const arch::Architecture* architecture_;
  Names names_;
  std::vector<std::uint64_t> ordinals_;  // by record, less 1; 0: it makes no launch
  std::vector<Made> launches_;           // by ordinal, less 1
  std::unordered_map<AllocationId, std::uint64_t> frees_;
};

/// What a launch has touched of one allocation.
struct TouchedAllocation {
  AllocationId allocation;
  TouchedExtents extents;
};

/// Whether undefined values change what a launch does, found by running it again with other bytes
/// in their places.
enum class Confirmation : std::uint8_t { kNotTried, kConfirmed, kRefuted };

/// What was seen of one launch.
struct LaunchEvidence {
  const Context& context;
  const Record& record;          ///< that made it
  const Record* node = nullptr;  ///< of a graph's launch: the record that says what the node does
  std::uint64_t ordinal = 0;
  std::vector<FaultGroup> faults;        ///< in the order of their first access
  std::vector<DecisionGroup> undefined;  ///< by undefined values; in the order of their first use
  Confirmation confirmation = Confirmation::kNotTried;  ///< of `undefined`
  std::vector<TouchedAllocation> touched;               ///< as far as anybody has noted it
  /// Of `touched` those that nothing leads to: neither arguments nor what they point to.
  std::vector<TouchedAllocation> strays;
  std::optional<NonfiniteOrigin> nonfinite;  ///< it has made infinities or NaN of finite numbers

  Launch launch() const;
  const Kernel& kernel() const;
  /// Whether an access has left an allocation: one that goes on into the next has the same cause.
  bool leaves_a_buffer() const;

 private:
  const LaunchKernel& body() const;
};

/// What a launch asks for, whether it ran or was refused.
struct RequestEvidence {
  const Context& context;
  const Record& record;          ///< that made it
  const Record* node = nullptr;  ///< of a graph's launch: the record that says what the node does
  std::uint64_t ordinal = 0;
  const LaunchKernel& body;
  const Kernel& kernel;
  /// Whether a rule has said why it cannot run.
  bool is_explained = false;
};

/// What was seen of one copy or fill.
struct TransferEvidence {
  const Context& context;
  const Record& record;
  TransferFault fault;
};

/// The host says that it gives out what a forward has computed.
struct ReportEvidence {
  const Context& context;
  const Record& record;
  const ReportOutput& report;
};

/// A copy, fill, free or launch that failed, for no reason that the recording shows.
struct FailedCallEvidence {
  const Context& context;
  const Record& record;
};

/// What is wrong with the memory that a copy, fill or free asks to touch, as the recording
/// has sizes and lifetimes. Empty where nothing is known to be.
std::vector<TransferFault> faults_of_request(const Context& context, const Record& record);

/// The place of what a launch asks for.
Place place_of(const RequestEvidence& evidence);
/// The place of what it touched of an allocation that nothing leads to.
Place place_of(const LaunchEvidence& evidence, const TouchedAllocation& stray);
Place place_of(const LaunchEvidence& evidence, const NonfiniteOrigin& origin);

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
Finding finding_of(std::string_view rule, Level level, const LaunchEvidence& evidence, Place place);
Finding finding_of(std::string_view rule, Level level, const RequestEvidence& evidence);
Finding finding_of(std::string_view rule, Level level, const TransferEvidence& evidence);
Finding finding_of(std::string_view rule, Level level, const FailedCallEvidence& evidence);
Finding finding_of(std::string_view rule, Level level, const ReportEvidence& evidence);

}  // namespace compass::gate
