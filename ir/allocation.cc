// SPDX-License-Identifier: MIT
#include "ir/allocation.h"

#include "ir/base/concat.h"

namespace compass {

std::string_view name_of(AllocationKind kind) {
  return kind == AllocationKind::kDevice ? "device" : "pinned";
}

std::string label_of(const Allocation& allocation) {
  const std::string id = concat("allocation ", allocation.id.value);
  return allocation.info.name.empty() ? id : concat(allocation.info.name, " (", id, ")");
}

}  // namespace compass
