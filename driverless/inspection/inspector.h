// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "driverless/gate/finding.h"
#include "driverless/gate/gate.h"
#include "driverless/inspection/rerun.h"

namespace compass::inspection {

/// Looks a second time, and more, at what a gate has doubts about or has found: the recording is
/// played again. Where there is neither, nothing is done.
///
/// The gate's report, with each finding's operands, code around it and story.
Result<gate::Report> inspect(gate::Gate& gate, const Stage& stage);

}  // namespace compass::inspection
