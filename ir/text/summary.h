// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "ir/recording.h"
#include "ir/tally.h"

namespace compass {

/// What a recording holds, in a page for people: device, completeness, records by kind, steps,
/// memory, code, and launches by kernel. The recording is valid.
std::string summary(const Recording& recording, const Tally& tally);

}  // namespace compass
