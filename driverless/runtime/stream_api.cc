// SPDX-License-Identifier: MIT
#include <algorithm>
#include <memory>
#include <utility>

#include "driverless/runtime/api.h"
#include "driverless/runtime/runtime.h"
#include "driverless/runtime/submit.h"

namespace compass::hip {
namespace {

// Lower is more urgent.
constexpr int kMostUrgent = -1;
constexpr int kLeastUrgent = 1;

Error create(Stream* stream, unsigned flags, int priority) {
  return with_device([&](Device& device) {
    if (stream == nullptr || (flags & ~kStreamNonBlocking) != 0) return kErrorInvalidValue;
    auto queue = std::make_shared<Queue>();
    queue->device_ordinal = device.ordinal;
    queue->flags = flags;
    queue->priority = std::clamp(priority, kMostUrgent, kLeastUrgent);
    *stream = device.platform.streams.add(queue);
    queue->handle = *stream;
    return kSuccess;
  });
}

/// Runs `body` with the queue behind `stream`.
template <class Body>
Error with_queue(Stream stream, Body body) {
  return with_device([&](Device& device) {
    const std::shared_ptr<Queue> queue = find_queue(device, stream);
    return queue == nullptr ? kErrorInvalidHandle : body(device, queue);
  });
}

/// A wait by a captured stream, or for a captured event.
Error wait_captured(Platform& platform, const std::shared_ptr<Queue>& queue, Event event,
                    const EventState& state, unsigned flags) {
  if (queue->capture != nullptr && queue->capture->invalidated) {
    return kErrorStreamCaptureInvalidated;
  }
  if (queue->capture != nullptr && flags == kEventWaitExternal) {
    return queue->capture->add(*queue, EventWait{event});
  }
  if (state.recorded) {  // not in a capture
    queue->capture->invalidated = true;
    return kErrorStreamCaptureIsolation;
  }
  return platform.captures.join(queue, state.captured);
}

}  // namespace

Error hipStreamCreate(Stream* stream) { return create(stream, 0, 0); }

Error hipStreamCreateWithFlags(Stream* stream, unsigned flags) { return create(stream, flags, 0); }

Error hipStreamCreateWithPriority(Stream* stream, unsigned flags, int priority) {
  return create(stream, flags, priority);
}

Error hipDeviceGetStreamPriorityRange(int* least_priority, int* greatest_priority) {
  return with_device([&](Device&) {
    if (least_priority != nullptr) *least_priority = kLeastUrgent;
    if (greatest_priority != nullptr) *greatest_priority = kMostUrgent;
    return kSuccess;
  });
}

// What the stream still has runs all the same.
Error hipStreamDestroy(Stream stream) {
  return with_device([&](Device& device) {
    const std::shared_ptr<Queue>* const queue = device.platform.streams.find(stream);
    if (queue == nullptr) return kErrorInvalidHandle;
    device.platform.captures.leave(**queue);
    device.platform.streams.remove(stream);
    return kSuccess;
  });
}

Error hipStreamSynchronize(Stream stream) {
  return with_queue(stream, [](Device& device, const std::shared_ptr<Queue>& queue) {
    return wait_for(device.platform, queue);
  });
}

Error hipStreamQuery(Stream stream) {
  return with_queue(stream, [](Device& device, const std::shared_ptr<Queue>& queue) {
    return poll(device.platform, queue);
  });
}

Error hipStreamWaitEvent(Stream stream, Event event, unsigned flags) {
  return with_queue(stream, [&](Device& device, const std::shared_ptr<Queue>& queue) {
    if (flags > kEventWaitExternal) return kErrorInvalidValue;
    const EventState* const state = device.platform.events.find(event);
    if (state == nullptr) return kErrorInvalidHandle;
    if (queue->capture != nullptr || !state->captured.capture.expired()) {
      return wait_captured(device.platform, queue, event, *state, flags);
    }
    const Error error = device.platform.captures.check_work(*queue);
    if (error == kSuccess) device.platform.scheduler.wait_on_queue(queue, state->point);
    return error;
  });
}

Error hipStreamGetFlags(Stream stream, unsigned* flags) {
  return with_queue(stream, [&](Device&, const std::shared_ptr<Queue>& queue) {
    if (flags == nullptr) return kErrorInvalidValue;
    *flags = queue->flags;
    return kSuccess;
  });
}

Error hipStreamGetPriority(Stream stream, int* priority) {
  return with_queue(stream, [&](Device&, const std::shared_ptr<Queue>& queue) {
    if (priority == nullptr) return kErrorInvalidValue;
    *priority = queue->priority;
    return kSuccess;
  });
}

Error hipStreamGetDevice(Stream stream, int* device_ordinal) {
  return with_queue(stream, [&](Device&, const std::shared_ptr<Queue>& queue) {
    if (device_ordinal == nullptr) return kErrorInvalidValue;
    *device_ordinal = queue->device_ordinal;
    return kSuccess;
  });
}

Error hipLaunchHostFunc(Stream stream, HostFunction function, void* user_data) {
  return with_device([&](Device& device) {
    if (function == nullptr) return kErrorInvalidValue;
    return submit(device, stream, HostOperation{function, user_data});
  });
}

Error hipStreamAddCallback(Stream stream, StreamCallback callback, void* user_data,
                           unsigned flags) {
  return with_device([&](Device& device) {
    if (callback == nullptr || flags != 0) return kErrorInvalidValue;
    return submit(device, stream, CallbackOperation{callback, stream, user_data});
  });
}

}  // namespace compass::hip
