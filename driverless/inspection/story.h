// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "driverless/gate/finding.h"
#include "driverless/inspection/rerun.h"

namespace compass::inspection {

/// Finds out how the values came about that findings are about, and what the instruction took: each
/// finding's operands, code, story and facet index-width. The recording is played again, at most
/// twice for each link of a story.
Result<void> tell_stories(const Stage& stage, std::span<gate::Finding> findings);

}  // namespace compass::inspection
