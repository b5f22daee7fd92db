// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include "driverless/runtime/launches.h"
#include "ir/hip/module_abi.h"

namespace compass {

/// What the attributes of an extensible launch ask for. Those that only hint at what is fast are
/// passed over. Absent where there are some and no list of them.
inline std::optional<LaunchOptions> read_attributes(const hip::LaunchAttribute* attributes,
                                                    unsigned count) {
  if (attributes == nullptr && count > 0) return std::nullopt;
  LaunchOptions options;
  for (unsigned i = 0; i < count; ++i) {
    if (attributes[i].id == hip::kLaunchAttributeCooperative) {
      options.is_cooperative = attributes[i].cooperative != 0;
    }
  }
  return options;
}

}  // namespace compass
