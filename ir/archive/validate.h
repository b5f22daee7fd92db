// SPDX-License-Identifier: MIT
#pragma once

#include "ir/base/result.h"
#include "ir/recording.h"

namespace compass::archive {

/// What Archive::recording() promises of ids, offsets and sizes. The error names the first thing
/// that breaks it.
Result<void> validate(const Recording& recording);

/// Whether the records that it names say that a kernel was launched: by itself, or as a node.
bool names_launch(const Recording& recording, const LaunchAccesses& accesses);

}  // namespace compass::archive
