// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <vector>

#include "driverless/gate/evidence.h"
#include "driverless/inspection/rerun.h"

namespace compass::inspection {

/// Of each of the launches, what it touches and nothing leads to, pointers in memory followed.
Result<std::map<std::uint64_t, std::vector<gate::TouchedAllocation>>> find_strays(
    const Stage& stage, const std::set<std::uint64_t>& ordinals);

}  // namespace compass::inspection
