// SPDX-License-Identifier: MIT
#include "driverless/runtime/api.h"
#include "driverless/runtime/runtime.h"
#include "driverless/runtime/submit.h"

// Values in memory that streams write, and wait for. No node of a graph does either here.
namespace compass::hip {
namespace {

constexpr unsigned kLastCondition = 3;  // hipStreamWaitValueNor

/// An atomic access to a value, so it is aligned and in memory that the device can address.
template <class Operation>
Error submit_value(Stream stream, const Operation& operation) {
  return with_device([&](Device& device) {
    const auto address = reinterpret_cast<std::uint64_t>(operation.pointer);
    if (address % operation.size_bytes != 0 ||
        device.platform.memory.storage(operation.pointer, operation.size_bytes) == nullptr) {
      return kErrorInvalidValue;
    }
    return submit(device, stream, operation);
  });
}

Error write(Stream stream, void* pointer, std::uint64_t value, std::uint32_t size_bytes) {
  return submit_value(stream, WriteValueOperation{pointer, value, size_bytes});
}

Error wait(Stream stream, const WaitValueOperation& wait, unsigned condition) {
  if (condition > kLastCondition) return note_error(kErrorInvalidValue);
  WaitValueOperation operation = wait;
  operation.condition = static_cast<WaitValueOperation::Condition>(condition);
  return submit_value(stream, operation);
}

}  // namespace

// `flags` of writes are reserved, and ignored as HIP has it.
Error hipStreamWriteValue32(Stream stream, void* pointer, std::uint32_t value, unsigned) {
  return write(stream, pointer, value, sizeof value);
}

Error hipStreamWriteValue64(Stream stream, void* pointer, std::uint64_t value, unsigned) {
  return write(stream, pointer, value, sizeof value);
}

Error hipStreamWaitValue32(Stream stream, void* pointer, std::uint32_t value, unsigned flags,
                           std::uint32_t mask) {
  return wait(stream, {.pointer = pointer, .value = value, .mask = mask, .size_bytes = 4}, flags);
}

Error hipStreamWaitValue64(Stream stream, void* pointer, std::uint64_t value, unsigned flags,
                           std::uint64_t mask) {
  return wait(stream, {.pointer = pointer, .value = value, .mask = mask, .size_bytes = 8}, flags);
}

}  // namespace compass::hip
