// SPDX-License-Identifier: MIT
#pragma once

#include "driverless/gate/gate.h"
#include "ir/evidence.h"
#include "ir/recording.h"

namespace compass::gate {

/// Tells a gate what was seen of its recording while it was made: nothing is run. The gate then says
/// the same as when the recording is played, but for what had not run when the program ended.
void tell(Gate& gate, const Evidence& evidence);

}  // namespace compass::gate
