// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

#include "ir/recording.h"

namespace compass::replay {

/// An error that says for which processors there is code, unless all code of `recording` is for
/// `processor` ("gfx950"), whatever its feature flags.
Result<void> check_processor(const Recording& recording, std::string_view processor);

}  // namespace compass::replay
