// SPDX-License-Identifier: MIT
#pragma once

#include "driverless/gate/context.h"
#include "ir/fault.h"

namespace compass::gate {

/// Addresses below this come from null pointers, whatever allocation is nearest.
constexpr std::uint64_t kNullBytes = 65536;

/// The argument that leads to the access: the one into the allocation that was freed, or, of those
/// that point nearest, the first that the access has passed, since indices that are too large are
/// more common than negative ones. Null: none does.
const LaunchArgument* blame(const Context& context, const Launch& launch, const Fault& fault);

}  // namespace compass::gate
