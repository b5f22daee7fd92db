// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>

#include "driverless/gate/finding.h"
#include "driverless/inspection/rerun.h"

namespace compass::inspection {

/// Which of the launches have made infinities or NaN of finite numbers, by the first place where
/// each has stored one: the first such launch, and where it made it. The others got theirs from it,
/// or come too late to matter.
Result<std::map<std::uint64_t, gate::NonfiniteOrigin>> find_origins(
    const Stage& stage, const std::map<std::uint64_t, MemoryRef>& places);

}  // namespace compass::inspection
