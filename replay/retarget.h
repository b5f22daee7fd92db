// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "ir/recording.h"

namespace compass::replay {

/// The processors that the recording has code objects for, sorted: "gfx942", "gfx950".
std::vector<std::string> processors(const Recording& recording);

/// `recording` with its launches turned to the code objects that the same fat binaries hold for
/// `processor`. Those are known by the names of their kernels: where a code object has no
/// counterpart it stays as it is. An error where nothing at all is there for `processor`.
Result<Recording> retarget(Recording recording, std::string_view processor);

}  // namespace compass::replay
