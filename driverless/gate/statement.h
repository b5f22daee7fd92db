// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "driverless/gate/finding.h"

namespace compass::gate {

/// What the kernel or call of a finding about accesses does, in the words of its headline: "writes
/// past the end of kv (allocation 3)".
std::string statement_of(const Finding& finding);

}  // namespace compass::gate
