// SPDX-License-Identifier: MIT
#include "driverless/runtime/api.h"
#include "driverless/runtime/runtime.h"

namespace compass::hip {
namespace {

// Blocking wait, no timing, interprocess, no system fence, release to device, release to system.
constexpr unsigned kEventFlags = 0x1 | 0x2 | 0x4 | 0x2000'0000 | 0x4000'0000 | 0x8000'0000;
constexpr unsigned kEventInterprocess = 0x4;

bool are_event_flags(unsigned flags) {
  if ((flags & ~kEventFlags) != 0) return false;
  return (flags & kEventInterprocess) == 0 || (flags & kEventDisableTiming) != 0;
}

/// What the host learns when it asks for an event. One that was never recorded has nothing to wait
/// for, as HIP has it.
Error status_of(Device& device, Event event) {
  const EventState* const state = device.events.find(event);
  if (state == nullptr) return kErrorInvalidHandle;
  return state->recorded ? device.launcher.status() : kSuccess;
}

Error create(Event* event, unsigned flags) {
  return with_device([&](Device& device) {
    if (event == nullptr || !are_event_flags(flags)) return kErrorInvalidValue;
    *event = device.events.add({.flags = flags});
    return kSuccess;
  });
}

}  // namespace

Error hipEventCreate(Event* event) { return create(event, 0); }
Error hipEventCreateWithFlags(Event* event, unsigned flags) { return create(event, flags); }

Error hipEventRecord(Event event, Stream stream) {
  return with_device([&](Device& device) {
    EventState* const state = device.events.find(event);
    if (state == nullptr || !device.has_stream(stream)) return kErrorInvalidHandle;
    state->recorded = true;
    return kSuccess;
  });
}

Error hipEventSynchronize(Event event) {
  return with_device([&](Device& device) { return status_of(device, event); });
}

Error hipEventQuery(Event event) {
  return with_device([&](Device& device) { return status_of(device, event); });
}

Error hipEventDestroy(Event event) {
  return with_device(
      [&](Device& device) { return device.events.remove(event) ? kSuccess : kErrorInvalidHandle; });
}

}  // namespace compass::hip
