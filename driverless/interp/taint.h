// SPDX-License-Identifier: MIT
#pragma once

#include "driverless/interp/op.h"
#include "driverless/machine/wavefront.h"

namespace compass::interp {

/// Carries taint from the sources of the instruction that has just run to its results, and reports
/// where it decides an address, EXEC or a branch. Called only while the wavefront is `tainted`.
void propagate_taint(Wavefront& wave, const Op& op);

}  // namespace compass::interp
