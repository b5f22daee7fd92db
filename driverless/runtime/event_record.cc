// SPDX-License-Identifier: MIT
#include "driverless/runtime/event_record.h"

namespace compass {
namespace {

hip::Error record_captured(const Queue& queue, hip::Event event, EventState& state,
                           unsigned flags) {
  StreamCapture& capture = *queue.capture;
  if (capture.invalidated) return hip::kErrorStreamCaptureInvalidated;
  if (flags == hip::kEventRecordExternal) {
    return capture.add(queue, EventRecord{event});
  }
  state.record(CapturedPoint{queue.capture, capture.find(queue)->dependencies});
  return hip::kSuccess;
}

}  // namespace

hip::Error record_event(Device& device, hip::Event event, hip::Stream stream, unsigned flags) {
  EventState* const state = device.platform.events.find(event);
  const std::shared_ptr<Queue> queue = find_queue(device, stream);
  if (flags > hip::kEventRecordExternal) return hip::kErrorInvalidValue;
  if (state == nullptr || queue == nullptr) return hip::kErrorInvalidHandle;
  if (queue->capture != nullptr) return record_captured(*queue, event, *state, flags);
  const hip::Error error = device.platform.captures.check_work(*queue);
  if (error == hip::kSuccess) state->record(device.platform.scheduler.mark(queue));
  return error;
}

}  // namespace compass
