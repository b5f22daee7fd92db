// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string_view>
#include <vector>

#include "driverless/gate/context.h"
#include "driverless/gate/finding.h"
#include "driverless/machine/shadow.h"
#include "ir/evidence.h"

namespace compass::gate {

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
  /// By the pc of faults: the offset of the argument whose pointer led there, where that is known.
  std::map<std::uint64_t, std::uint32_t> followed;
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

  /// The record that says what was done: of a graph's launch that of the node.
  const Record& deed() const;
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
