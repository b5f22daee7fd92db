// SPDX-License-Identifier: MIT
#include "driverless/runtime/api.h"
#include "driverless/runtime/event_record.h"
#include "driverless/runtime/runtime.h"
#include "driverless/runtime/submit.h"

namespace compass::hip {
namespace {

// Blocking wait, no timing, interprocess, no system fence, release to device, release to system.
constexpr unsigned kEventFlags = 0x1 | 0x2 | 0x4 | 0x2000'0000 | 0x4000'0000 | 0x8000'0000;
constexpr unsigned kEventInterprocess = 0x4;

bool are_event_flags(unsigned flags) {
  if ((flags & ~kEventFlags) != 0) return false;
  return (flags & kEventInterprocess) == 0 || (flags & kEventDisableTiming) != 0;
}

/// Runs `body` with the state of `event`.
template <class Body>
Error with_event(Event event, Body body) {
  return with_device([&](Device& device) {
    EventState* const state = device.platform.events.find(event);
    return state == nullptr ? kErrorInvalidHandle : body(device.platform, *state);
  });
}

/// The time between two events is known when both were recorded, may be timed, and are done.
Error elapsed_between(const EventState& start, const EventState& stop, float& elapsed_ms) {
  if (!start.recorded || !stop.recorded) return kErrorInvalidHandle;
  if (((start.flags | stop.flags) & kEventDisableTiming) != 0) return kErrorInvalidHandle;
  if (!start.point.is_done() || !stop.point.is_done()) return kErrorNotReady;
  const auto elapsed_ns = static_cast<std::int64_t>(stop.point.time_ns() - start.point.time_ns());
  elapsed_ms = static_cast<float>(static_cast<double>(elapsed_ns) / 1e6);
  return kSuccess;
}

Error create(Event* event, unsigned flags) {
  return with_device([&](Device& device) {
    if (event == nullptr || !are_event_flags(flags)) return kErrorInvalidValue;
    *event = device.platform.events.add({.flags = flags});
    return kSuccess;
  });
}

}  // namespace

Error hipEventCreate(Event* event) { return create(event, 0); }
Error hipEventCreateWithFlags(Event* event, unsigned flags) { return create(event, flags); }

Error hipEventRecord(Event event, Stream stream) {
  return hipEventRecordWithFlags(event, stream, 0);
}

Error hipEventRecordWithFlags(Event event, Stream stream, unsigned flags) {
  return with_device([&](Device& device) { return record_event(device, event, stream, flags); });
}

// An event that was never recorded has nothing to wait for, as HIP has it.
Error hipEventSynchronize(Event event) {
  return with_event(event, [](Platform& platform, const EventState& state) {
    const Error error = platform.captures.check_event(state.captured);
    if (error != kSuccess) return error;
    const Point point = state.point;  // the event may end while the host waits
    return state.recorded ? wait_for(platform, point) : kSuccess;
  });
}

Error hipEventQuery(Event event) {
  return with_event(event, [](Platform& platform, const EventState& state) {
    const Error error = platform.captures.check_event(state.captured);
    if (error != kSuccess) return error;
    return state.recorded ? poll(platform, state.point) : kSuccess;
  });
}

Error hipEventElapsedTime(float* elapsed_ms, Event start, Event stop) {
  return with_event(start, [&](Platform& platform, const EventState& from) {
    if (elapsed_ms == nullptr) return kErrorInvalidValue;
    const EventState* const to = platform.events.find(stop);
    return to == nullptr ? kErrorInvalidHandle : elapsed_between(from, *to, *elapsed_ms);
  });
}

Error hipEventDestroy(Event event) {
  return with_device([&](Device& device) {
    return device.platform.events.remove(event) ? kSuccess : kErrorInvalidHandle;
  });
}

}  // namespace compass::hip
