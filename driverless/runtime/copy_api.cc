// SPDX-License-Identifier: MIT
#include "driverless/runtime/api.h"
#include "driverless/runtime/runtime.h"

namespace compass::hip {
namespace {

/// What a copy asks for.
struct CopyRequest {
  void* to;
  const void* from;
  std::size_t size_bytes;
  MemcpyKind kind;
};

Error copy_on(Stream stream, const CopyRequest& request) {
  return with_device([&](Device& device) {
    if (!device.has_stream(stream)) return kErrorInvalidHandle;
    return device.memory.copy(request.to, request.from, request.size_bytes, request.kind);
  });
}

/// A copy that the host waits for: also tells what went wrong before it.
Error copy_and_wait(Stream stream, const CopyRequest& request) {
  const Error error = copy_on(stream, request);
  if (error != kSuccess) return error;
  return with_device([](Device& device) { return device.launcher.status(); });
}

}  // namespace

Error hipMemcpy(void* to, const void* from, std::size_t size_bytes, MemcpyKind kind) {
  return copy_and_wait(nullptr, {to, from, size_bytes, kind});
}

Error hipMemcpyAsync(void* to, const void* from, std::size_t size_bytes, MemcpyKind kind,
                     Stream stream) {
  return copy_on(stream, {to, from, size_bytes, kind});
}

Error hipMemcpyWithStream(void* to, const void* from, std::size_t size_bytes, MemcpyKind kind,
                          Stream stream) {
  return copy_and_wait(stream, {to, from, size_bytes, kind});
}

Error hipMemcpyHtoD(void* to, const void* from, std::size_t size_bytes) {
  return copy_and_wait(nullptr, {to, from, size_bytes, kMemcpyHostToDevice});
}

Error hipMemcpyDtoH(void* to, void* from, std::size_t size_bytes) {
  return copy_and_wait(nullptr, {to, from, size_bytes, kMemcpyDeviceToHost});
}

Error hipMemcpyDtoD(void* to, void* from, std::size_t size_bytes) {
  return copy_and_wait(nullptr, {to, from, size_bytes, kMemcpyDeviceToDevice});
}

Error hipMemcpyHtoDAsync(void* to, const void* from, std::size_t size_bytes, Stream stream) {
  return copy_on(stream, {to, from, size_bytes, kMemcpyHostToDevice});
}

Error hipMemcpyDtoHAsync(void* to, void* from, std::size_t size_bytes, Stream stream) {
  return copy_on(stream, {to, from, size_bytes, kMemcpyDeviceToHost});
}

Error hipMemcpyDtoDAsync(void* to, void* from, std::size_t size_bytes, Stream stream) {
  return copy_on(stream, {to, from, size_bytes, kMemcpyDeviceToDevice});
}

}  // namespace compass::hip
