// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

#include "driverless/runtime/operation.h"

namespace compass {

/// A copy of bytes that lie side by side, of a kind as a program says it.
inline CopyOperation linear_copy(void* to, const void* from, std::size_t size_bytes,
                                 hip::MemcpyKind kind) {
  return {.to = {.pointer = to},
          .from = {.pointer = const_cast<void*>(from)},
          .box = {.width_bytes = size_bytes},
          .kind = kind == hip::kMemcpyDeviceToDeviceNoCu ? hip::kMemcpyDeviceToDevice : kind};
}

}  // namespace compass
