// SPDX-License-Identifier: MIT
#include "driverless/runtime/symbol_copy.h"

#include "driverless/runtime/copies.h"

namespace compass {
namespace {

bool is_right_kind(SymbolCopy::Way way, hip::MemcpyKind kind) {
  const bool to = way == SymbolCopy::Way::kTo;
  return kind == hip::kMemcpyDeviceToDevice || kind == hip::kMemcpyDeviceToDeviceNoCu ||
         kind == hip::kMemcpyDefault ||
         kind == (to ? hip::kMemcpyHostToDevice : hip::kMemcpyDeviceToHost);
}

}  // namespace

FoundVariable find_symbol(Platform& platform, const void* symbol, int device_ordinal) {
  const RegisteredVariable* const known = Runtime::get().fat_binaries().find_variable(symbol);
  if (known == nullptr) return {.variable = {}, .error = hip::kErrorInvalidSymbol};
  return find_variable(*known, code_target(platform, device_ordinal));
}

hip::Error make_copy(Platform& platform, int device_ordinal, const SymbolCopy& copy,
                     CopyOperation& operation) {
  if (!is_right_kind(copy.way, copy.kind)) return hip::kErrorInvalidMemcpyDirection;
  const FoundVariable found = find_symbol(platform, copy.symbol, device_ordinal);
  if (found.error != hip::kSuccess) return found.error;
  const auto& [address, size_bytes] = found.variable;
  if (copy.offset_bytes > size_bytes || copy.size_bytes > size_bytes - copy.offset_bytes) {
    return hip::kErrorInvalidValue;
  }
  // NOLINTNEXTLINE(performance-no-int-to-ptr): a device address
  void* const variable = reinterpret_cast<void*>(address.value + copy.offset_bytes);
  operation = copy.way == SymbolCopy::Way::kTo
                  ? linear_copy(variable, copy.other, copy.size_bytes, copy.kind)
                  : linear_copy(copy.other, variable, copy.size_bytes, copy.kind);
  return hip::kSuccess;
}

}  // namespace compass
