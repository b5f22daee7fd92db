// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

#include "ir/fault.h"

/// What output calls the parts of a fault: internal to this folder.
namespace compass::kernel_case {

inline std::string_view name_of(FaultKind kind) {
  if (kind == FaultKind::kOutOfBounds) return "out-of-bounds";
  if (kind == FaultKind::kMisaligned) return "misaligned-access";
  return "use-after-free";
}

inline std::string_view name_of(AccessKind access) {
  if (access == AccessKind::kLoad) return "load";
  return access == AccessKind::kStore ? "store" : "atomic";
}

inline std::string_view name_of(AddressSpace space) {
  if (space == AddressSpace::kGlobal) return "global";
  return space == AddressSpace::kLds ? "lds" : "scratch";
}

}  // namespace compass::kernel_case
