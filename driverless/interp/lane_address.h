// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>

#include "driverless/interp/op.h"

namespace compass::interp {

/// Where the memory instruction that is about to run goes in that lane: an address, or of LDS and
/// scratch the offset. Absent where it goes nowhere, as beyond the end of a buffer.
std::optional<std::uint64_t> lane_address(Wavefront& wave, const Op& op, unsigned lane);

}  // namespace compass::interp
