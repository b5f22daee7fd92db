// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include "capture/hooks/copying.h"
#include "ir/hip/memory_abi.h"

namespace compass::capture {

// What a structure asks for, as a copy that nobody waits for; absent where there is none, or an
// array in it.

std::optional<CopyCall> copy_asked_for(const hip::Memcpy3DParms* given);
std::optional<CopyCall> copy_asked_for(const hip::DriverMemcpy3D* given);

}  // namespace compass::capture
