// SPDX-License-Identifier: MIT
#include "ir/allocation.h"

#include <array>

namespace compass {

std::string_view name_of(AllocationKind kind) {
  constexpr std::array<std::string_view, 4> kNames = {"device", "pinned", "managed", "global"};
  return kNames[static_cast<std::size_t>(kind) & 3];
}

}  // namespace compass
