// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

#include "ir/hip/abi.h"
#include "ir/hip/graph_abi.h"
#include "ir/hip/memory_abi.h"
#include "ir/hip/module_abi.h"

/// The hooked calls, under their own names: what the program's calls resolve to. Each looks like
/// the runtime's: same parameters, same result, and its error codes are always the runtime's.

// NOLINTBEGIN: the names and types are HIP's
extern "C" {
#define HOOK(name, result, parameters) [[gnu::visibility("default")]] result name parameters;
#include "capture/hooks/hip_api.def"
#undef HOOK
}
// NOLINTEND
