// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "driverless/gate/evidence.h"
#include "driverless/machine/memory.h"

namespace compass::gate {

/// Of what a launch has touched, the allocations that nothing leads to: no argument, none of the
/// kernel's own variables, and no pointer that the launch has read from memory that one of these
/// leads to. A pointer to the end of an allocation leads to it.
///
/// `memory` holds what was there when the launch ended. Without it no pointers are followed, so
/// that what is given may still be reached.
std::vector<TouchedAllocation> strays_of(const LaunchEvidence& evidence, const Memory* memory);

}  // namespace compass::gate
