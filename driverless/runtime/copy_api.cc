// SPDX-License-Identifier: MIT
#include "driverless/runtime/api.h"
#include "driverless/runtime/copies.h"
#include "driverless/runtime/error_state.h"

namespace compass::hip {

Error hipMemcpy(void* to, const void* from, std::size_t size_bytes, MemcpyKind kind) {
  return copy_and_wait(nullptr, linear_copy(to, from, size_bytes, kind));
}

Error hipMemcpyAsync(void* to, const void* from, std::size_t size_bytes, MemcpyKind kind,
                     Stream stream) {
  return copy_on(stream, linear_copy(to, from, size_bytes, kind));
}

Error hipMemcpyWithStream(void* to, const void* from, std::size_t size_bytes, MemcpyKind kind,
                          Stream stream) {
  return copy_and_wait(stream, linear_copy(to, from, size_bytes, kind));
}

Error hipMemcpyHtoD(void* to, const void* from, std::size_t size_bytes) {
  return copy_and_wait(nullptr, linear_copy(to, from, size_bytes, kMemcpyHostToDevice));
}

Error hipMemcpyDtoH(void* to, void* from, std::size_t size_bytes) {
  return copy_and_wait(nullptr, linear_copy(to, from, size_bytes, kMemcpyDeviceToHost));
}

Error hipMemcpyDtoD(void* to, void* from, std::size_t size_bytes) {
  return copy_and_wait(nullptr, linear_copy(to, from, size_bytes, kMemcpyDeviceToDevice));
}

Error hipMemcpyHtoDAsync(void* to, const void* from, std::size_t size_bytes, Stream stream) {
  return copy_on(stream, linear_copy(to, from, size_bytes, kMemcpyHostToDevice));
}

Error hipMemcpyDtoHAsync(void* to, void* from, std::size_t size_bytes, Stream stream) {
  return copy_on(stream, linear_copy(to, from, size_bytes, kMemcpyDeviceToHost));
}

Error hipMemcpyDtoDAsync(void* to, void* from, std::size_t size_bytes, Stream stream) {
  return copy_on(stream, linear_copy(to, from, size_bytes, kMemcpyDeviceToDevice));
}

// A copy that fails keeps those before it; attributes only hint at what is fast.
Error hipMemcpyBatchAsync(void** to, void** from, std::size_t* sizes_bytes, std::size_t count,
                          void*, std::size_t*, std::size_t, std::size_t* failed, Stream stream) {
  if (to == nullptr || from == nullptr || sizes_bytes == nullptr || count == 0) {
    return note_error(kErrorInvalidValue);
  }
  for (std::size_t i = 0; i < count; ++i) {
    const Error error =
        copy_on(stream, linear_copy(to[i], from[i], sizes_bytes[i], kMemcpyDefault));
    if (error == kSuccess) continue;
    if (failed != nullptr) *failed = i;
    return error;
  }
  return kSuccess;
}

}  // namespace compass::hip
