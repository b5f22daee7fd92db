// SPDX-License-Identifier: MIT
#pragma once

#include "driverless/gate/gate.h"
#include "ir/evidence.h"
#include "ir/recording.h"

namespace compass::gate {

/// Judges a recording by what was seen while it was made: nothing is run. The same as the gate says
/// of the same recording when it is played, but for what had not run when the program ended.
Report judge(const Recording& recording, const Evidence& evidence);

}  // namespace compass::gate
