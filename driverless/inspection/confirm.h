// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <set>

#include "driverless/gate/evidence.h"
#include "driverless/inspection/rerun.h"

namespace compass::inspection {

/// Which of the launches do something else when other bytes stand where nothing was written: they
/// touch other bytes, run another number of instructions, make other faults or store other known
/// bytes. The recording is played three times, with as many patterns.
Result<std::map<std::uint64_t, gate::Confirmation>> confirm_undefined(
    const Stage& stage, const std::set<std::uint64_t>& ordinals);

}  // namespace compass::inspection
