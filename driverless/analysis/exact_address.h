// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "driverless/analysis/definitions.h"

namespace compass::analysis {

/// What the global memory instruction at `step` would have for an address, had the launch computed
/// with exact integers where it had 32 bits: absent where that is the address that it has, or
/// differs by anything but a multiple of 2^32.
///
/// Followed are sums, products, shifts to the left and widenings; what else a value comes from is
/// taken as it is. How 32 bits are widened says whether they are signed.
std::optional<std::uint64_t> exact_address(const Definitions& definitions, std::size_t step);

}  // namespace compass::analysis
