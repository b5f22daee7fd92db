// SPDX-License-Identifier: MIT
#include <utility>

#include "driverless/runtime/api.h"
#include "driverless/runtime/copies.h"
#include "driverless/runtime/runtime.h"
#include "driverless/runtime/submit.h"
#include "driverless/runtime/symbol_copy.h"
#include "ir/record.h"

namespace compass::hip {
namespace {

Error copy_symbol(const SymbolCopy& copy, Stream stream, HostWait wait) {
  return with_device([&](Device& device) {
    const std::shared_ptr<Queue> queue = find_queue(device, stream);
    if (queue == nullptr) return kErrorInvalidHandle;
    CopyOperation operation;
    Error error = make_copy(device.platform, queue->device_ordinal, copy, operation);
    if (error != kSuccess) return error;
    if (wait == HostWait::kAsync) return submit_copy(device, stream, std::move(operation));
    error = device.platform.memory.check(operation);
    return error == kSuccess ? submit_and_wait(device, stream, std::move(operation)) : error;
  });
}

}  // namespace

Error hipGetSymbolAddress(void** pointer, const void* symbol) {
  return with_device([&](Device& device) {
    if (pointer == nullptr) return kErrorInvalidValue;
    const FoundVariable found = find_symbol(device.platform, symbol, device.ordinal);
    // NOLINTNEXTLINE(performance-no-int-to-ptr): a device address
    if (found.error == kSuccess) *pointer = reinterpret_cast<void*>(found.variable.address.value);
    return found.error;
  });
}

Error hipGetSymbolSize(std::size_t* size_bytes, const void* symbol) {
  return with_device([&](Device& device) {
    if (size_bytes == nullptr) return kErrorInvalidValue;
    const FoundVariable found = find_symbol(device.platform, symbol, device.ordinal);
    if (found.error == kSuccess) *size_bytes = found.variable.size_bytes;
    return found.error;
  });
}

Error hipMemcpyToSymbol(const void* symbol, const void* from, std::size_t size_bytes,
                        std::size_t offset_bytes, MemcpyKind kind) {
  return copy_symbol(
      {SymbolCopy::Way::kTo, symbol, const_cast<void*>(from), size_bytes, offset_bytes, kind},
      nullptr, HostWait::kBlocking);
}

Error hipMemcpyToSymbol_spt(const void* symbol, const void* from, std::size_t size_bytes,
                            std::size_t offset_bytes, MemcpyKind kind) {
  return copy_symbol(
      {SymbolCopy::Way::kTo, symbol, const_cast<void*>(from), size_bytes, offset_bytes, kind},
      per_thread_stream(), HostWait::kBlocking);
}

Error hipMemcpyToSymbolAsync(const void* symbol, const void* from, std::size_t size_bytes,
                             std::size_t offset_bytes, MemcpyKind kind, Stream stream) {
  return copy_symbol(
      {SymbolCopy::Way::kTo, symbol, const_cast<void*>(from), size_bytes, offset_bytes, kind},
      stream, HostWait::kAsync);
}

Error hipMemcpyFromSymbol(void* to, const void* symbol, std::size_t size_bytes,
                          std::size_t offset_bytes, MemcpyKind kind) {
  return copy_symbol({SymbolCopy::Way::kFrom, symbol, to, size_bytes, offset_bytes, kind}, nullptr,
                     HostWait::kBlocking);
}

Error hipMemcpyFromSymbol_spt(void* to, const void* symbol, std::size_t size_bytes,
                              std::size_t offset_bytes, MemcpyKind kind) {
  return copy_symbol({SymbolCopy::Way::kFrom, symbol, to, size_bytes, offset_bytes, kind},
                     per_thread_stream(), HostWait::kBlocking);
}

Error hipMemcpyFromSymbolAsync(void* to, const void* symbol, std::size_t size_bytes,
                               std::size_t offset_bytes, MemcpyKind kind, Stream stream) {
  return copy_symbol({SymbolCopy::Way::kFrom, symbol, to, size_bytes, offset_bytes, kind}, stream,
                     HostWait::kAsync);
}

}  // namespace compass::hip
