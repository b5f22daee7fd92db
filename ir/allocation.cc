// SPDX-License-Identifier: MIT
#include "ir/allocation.h"

namespace compass {

std::string_view name_of(AllocationKind kind) {
  return kind == AllocationKind::kDevice ? "device" : "pinned";
}

}  // namespace compass
