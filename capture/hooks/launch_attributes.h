// SPDX-License-Identifier: MIT
#pragma once

#include "ir/hip/module_abi.h"

namespace compass::capture {

/// Whether the attributes of an extensible launch make it cooperative.
inline bool asks_for_cooperation(const hip::LaunchAttribute* attributes, unsigned count) {
  bool cooperative = false;
  for (unsigned i = 0; attributes != nullptr && i < count; ++i) {
    if (attributes[i].id != hip::kLaunchAttributeCooperative) continue;
    cooperative = attributes[i].cooperative != 0;
  }
  return cooperative;
}

}  // namespace compass::capture
