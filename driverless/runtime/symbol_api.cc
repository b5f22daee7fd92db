// SPDX-License-Identifier: MIT
#include <utility>

#include "driverless/runtime/api.h"
#include "driverless/runtime/copies.h"
#include "driverless/runtime/runtime.h"
#include "driverless/runtime/submit.h"
#include "ir/record.h"

namespace compass::hip {
namespace {

FoundVariable find_symbol(Device& device, const void* symbol, int device_ordinal) {
  const RegisteredVariable* const known = Runtime::get().fat_binaries().find_variable(symbol);
  if (known == nullptr) return {.variable = {}, .error = kErrorInvalidSymbol};
  return find_variable(*known, code_target(device.platform, device_ordinal));
}

/// Which way a copy goes, seen from the symbol.
enum class Way : std::uint8_t { kTo, kFrom };

bool is_right_kind(Way way, MemcpyKind kind) {
  return kind == kMemcpyDeviceToDevice || kind == kMemcpyDeviceToDeviceNoCu ||
         kind == kMemcpyDefault ||
         kind == (way == Way::kTo ? kMemcpyHostToDevice : kMemcpyDeviceToHost);
}

struct SymbolCopy {
  Way way;
  const void* symbol;
  void* other;
  std::size_t size_bytes;
  std::size_t offset_bytes;
  MemcpyKind kind;
};

Error copy_symbol(const SymbolCopy& copy, Stream stream, HostWait wait) {
  return with_device([&](Device& device) {
    if (!is_right_kind(copy.way, copy.kind)) return kErrorInvalidMemcpyDirection;
    const std::shared_ptr<Queue> queue = find_queue(device, stream);
    if (queue == nullptr) return kErrorInvalidHandle;
    const FoundVariable found = find_symbol(device, copy.symbol, queue->device_ordinal);
    if (found.error != kSuccess) return found.error;
    const auto& [address, size_bytes] = found.variable;
    if (copy.offset_bytes > size_bytes || copy.size_bytes > size_bytes - copy.offset_bytes) {
      return kErrorInvalidValue;
    }
    // NOLINTNEXTLINE(performance-no-int-to-ptr): a device address
    void* const variable = reinterpret_cast<void*>(address.value + copy.offset_bytes);
    CopyOperation operation = copy.way == Way::kTo
                                  ? linear_copy(variable, copy.other, copy.size_bytes, copy.kind)
                                  : linear_copy(copy.other, variable, copy.size_bytes, copy.kind);
    if (wait == HostWait::kAsync) return submit_copy(device, stream, std::move(operation));
    const Error error = device.platform.memory.check(operation);
    return error == kSuccess ? submit_and_wait(device, stream, std::move(operation)) : error;
  });
}

}  // namespace

Error hipGetSymbolAddress(void** pointer, const void* symbol) {
  return with_device([&](Device& device) {
    if (pointer == nullptr) return kErrorInvalidValue;
    const FoundVariable found = find_symbol(device, symbol, device.ordinal);
    // NOLINTNEXTLINE(performance-no-int-to-ptr): a device address
    if (found.error == kSuccess) *pointer = reinterpret_cast<void*>(found.variable.address.value);
    return found.error;
  });
}

Error hipGetSymbolSize(std::size_t* size_bytes, const void* symbol) {
  return with_device([&](Device& device) {
    if (size_bytes == nullptr) return kErrorInvalidValue;
    const FoundVariable found = find_symbol(device, symbol, device.ordinal);
    if (found.error == kSuccess) *size_bytes = found.variable.size_bytes;
    return found.error;
  });
}

Error hipMemcpyToSymbol(const void* symbol, const void* from, std::size_t size_bytes,
                        std::size_t offset_bytes, MemcpyKind kind) {
  return copy_symbol({Way::kTo, symbol, const_cast<void*>(from), size_bytes, offset_bytes, kind},
                     nullptr, HostWait::kBlocking);
}

Error hipMemcpyToSymbol_spt(const void* symbol, const void* from, std::size_t size_bytes,
                            std::size_t offset_bytes, MemcpyKind kind) {
  return copy_symbol({Way::kTo, symbol, const_cast<void*>(from), size_bytes, offset_bytes, kind},
                     per_thread_stream(), HostWait::kBlocking);
}

Error hipMemcpyToSymbolAsync(const void* symbol, const void* from, std::size_t size_bytes,
                             std::size_t offset_bytes, MemcpyKind kind, Stream stream) {
  return copy_symbol({Way::kTo, symbol, const_cast<void*>(from), size_bytes, offset_bytes, kind},
                     stream, HostWait::kAsync);
}

Error hipMemcpyFromSymbol(void* to, const void* symbol, std::size_t size_bytes,
                          std::size_t offset_bytes, MemcpyKind kind) {
  return copy_symbol({Way::kFrom, symbol, to, size_bytes, offset_bytes, kind}, nullptr,
                     HostWait::kBlocking);
}

Error hipMemcpyFromSymbol_spt(void* to, const void* symbol, std::size_t size_bytes,
                              std::size_t offset_bytes, MemcpyKind kind) {
  return copy_symbol({Way::kFrom, symbol, to, size_bytes, offset_bytes, kind}, per_thread_stream(),
                     HostWait::kBlocking);
}

Error hipMemcpyFromSymbolAsync(void* to, const void* symbol, std::size_t size_bytes,
                               std::size_t offset_bytes, MemcpyKind kind, Stream stream) {
  return copy_symbol({Way::kFrom, symbol, to, size_bytes, offset_bytes, kind}, stream,
                     HostWait::kAsync);
}

}  // namespace compass::hip
