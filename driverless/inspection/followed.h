// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>

#include "driverless/gate/doubts.h"
#include "driverless/inspection/rerun.h"

namespace compass::inspection {

/// Of instructions that leave a buffer: the argument whose pointer went into the address, where it
/// is one alone.
Result<std::map<gate::KernelPlace, std::uint32_t>> find_followed(
    const Stage& stage, const std::map<gate::KernelPlace, gate::FaultyAccess>& faults);

}  // namespace compass::inspection
