// SPDX-License-Identifier: MIT
#pragma once

#include "capture/recorder.h"

namespace compass::capture {

/// Records where a symbol's variable is; null where the runtime does not say. `real` is any
/// function of the runtime.
void* place_of_symbol(Recorder& recorder, void* real, const void* symbol);

}  // namespace compass::capture
