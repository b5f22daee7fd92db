// SPDX-License-Identifier: MIT
#include "driverless/runtime/api.h"
#include "driverless/runtime/runtime.h"
#include "driverless/runtime/submit.h"
#include "ir/record.h"

namespace compass::hip {
namespace {

Error fill_on(Stream stream, void* to, Pattern pattern, std::size_t count, HostWait wait) {
  return with_device([&](Device& device) {
    FillOperation fill{.to = {.pointer = to}, .pattern = pattern};
    if (__builtin_mul_overflow(count, pattern.size_bytes, &fill.box.width_bytes)) {
      return kErrorInvalidValue;
    }
    const Error error = device.platform.memory.check(fill);
    if (error != kSuccess) return error;
    return wait == HostWait::kBlocking ? submit_and_wait(device, stream, fill)
                                       : submit(device, stream, fill);
  });
}

Pattern pattern8(int value) { return {static_cast<std::uint8_t>(value), 1}; }
Pattern pattern16(unsigned short value) { return {value, 2}; }
Pattern pattern32(int value) { return {static_cast<std::uint32_t>(value), 4}; }

}  // namespace

Error hipMemset(void* to, int value, std::size_t size_bytes) {
  return fill_on(nullptr, to, pattern8(value), size_bytes, HostWait::kBlocking);
}

Error hipMemsetAsync(void* to, int value, std::size_t size_bytes, Stream stream) {
  return fill_on(stream, to, pattern8(value), size_bytes, HostWait::kAsync);
}

Error hipMemsetD8(void* to, unsigned char value, std::size_t count) {
  return fill_on(nullptr, to, pattern8(value), count, HostWait::kBlocking);
}

Error hipMemsetD8Async(void* to, unsigned char value, std::size_t count, Stream stream) {
  return fill_on(stream, to, pattern8(value), count, HostWait::kAsync);
}

Error hipMemsetD16(void* to, unsigned short value, std::size_t count) {
  return fill_on(nullptr, to, pattern16(value), count, HostWait::kBlocking);
}

Error hipMemsetD16Async(void* to, unsigned short value, std::size_t count, Stream stream) {
  return fill_on(stream, to, pattern16(value), count, HostWait::kAsync);
}

Error hipMemsetD32(void* to, int value, std::size_t count) {
  return fill_on(nullptr, to, pattern32(value), count, HostWait::kBlocking);
}

Error hipMemsetD32Async(void* to, int value, std::size_t count, Stream stream) {
  return fill_on(stream, to, pattern32(value), count, HostWait::kAsync);
}

}  // namespace compass::hip
