// SPDX-License-Identifier: MIT
#include <utility>

#include "driverless/runtime/api.h"
#include "driverless/runtime/linear_copy.h"
#include "driverless/runtime/runtime.h"
#include "driverless/runtime/submit.h"

namespace compass::hip {
namespace {

Error copy_on(Stream stream, CopyOperation copy) {
  return with_device([&](Device& device) { return submit_copy(device, stream, std::move(copy)); });
}

Error copy_and_wait(Stream stream, CopyOperation copy) {
  return with_device([&](Device& device) {
    const Error error = device.platform.memory.check(copy);
    return error == kSuccess ? submit_and_wait(device, stream, std::move(copy)) : error;
  });
}

}  // namespace

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

}  // namespace compass::hip
