// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "driverless/gate/context.h"
#include "driverless/gate/finding.h"

namespace compass::gate {

/// A finding as `explain` shows it: the launch with its arguments, the instruction among its
/// neighbours, what it took, and the chain of who wrote what. `context` is its recording's.
std::string explanation_of(const Finding& finding, const Context& context);

}  // namespace compass::gate
