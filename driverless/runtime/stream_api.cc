// SPDX-License-Identifier: MIT
#include "driverless/runtime/api.h"
#include "driverless/runtime/runtime.h"

namespace compass::hip {
namespace {

Error create(Stream* stream, StreamState state) {
  return with_device([&](Device& device) {
    if (stream == nullptr || (state.flags & ~kStreamNonBlocking) != 0) return kErrorInvalidValue;
    *stream = device.streams.add(state);
    return kSuccess;
  });
}

}  // namespace

Error hipStreamCreate(Stream* stream) { return create(stream, {}); }

Error hipStreamCreateWithFlags(Stream* stream, unsigned flags) {
  return create(stream, {.flags = flags});
}

Error hipStreamCreateWithPriority(Stream* stream, unsigned flags, int priority) {
  return create(stream, {.flags = flags, .priority = priority});
}

Error hipStreamDestroy(Stream stream) {
  return with_device([&](Device& device) {
    return device.streams.remove(stream) ? kSuccess : kErrorInvalidHandle;
  });
}

Error hipStreamSynchronize(Stream stream) {
  return with_device([&](Device& device) {
    return device.has_stream(stream) ? device.launcher.status() : kErrorInvalidHandle;
  });
}

Error hipStreamQuery(Stream stream) {
  return with_device([&](Device& device) {
    return device.has_stream(stream) ? device.launcher.status() : kErrorInvalidHandle;
  });
}

Error hipStreamWaitEvent(Stream stream, Event event, unsigned flags) {
  return with_device([&](Device& device) {
    if (flags > 1) return kErrorInvalidValue;
    const bool known = device.has_stream(stream) && device.events.find(event) != nullptr;
    return known ? kSuccess : kErrorInvalidHandle;
  });
}

}  // namespace compass::hip
