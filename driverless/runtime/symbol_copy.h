// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>

#include "driverless/runtime/runtime.h"

namespace compass {

/// A variable of the device's code, by its host name. kErrorInvalidSymbol where it is none.
FoundVariable find_symbol(Platform& platform, const void* symbol, int device_ordinal);

/// A copy between such a variable and memory.
struct SymbolCopy {
  enum class Way : std::uint8_t { kTo, kFrom };  ///< seen from the symbol
  Way way = Way::kTo;
  const void* symbol = nullptr;
  void* other = nullptr;
  std::size_t size_bytes = 0;
  std::size_t offset_bytes = 0;  ///< in the variable
  hip::MemcpyKind kind = hip::kMemcpyDefault;
};

/// Makes the copy; whether the other end is memory is not checked.
hip::Error make_copy(Platform& platform, int device_ordinal, const SymbolCopy& copy,
                     CopyOperation& operation);

}  // namespace compass
