// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>

#include "ir/coverage.h"
#include "ir/evidence.h"
#include "ir/recording.h"

namespace compass::archive {

/// Which launches the runtime interpreted while the program ran: those whose accesses it told.
/// Nothing where it did not say that it interprets. The recording is complete but for this.
std::optional<Coverage> coverage_of(const Recording& recording, const Evidence& evidence,
                                    const std::string& interpreter);

}  // namespace compass::archive
