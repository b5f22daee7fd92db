// SPDX-License-Identifier: MIT
#pragma once

#include "driverless/gate/evidence.h"

namespace compass::gate {

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

/// The place of memory that the host gives out.
Place place_of(const ReportEvidence& evidence);
Place place_of(const FailedCallEvidence& evidence);

}  // namespace compass::gate
