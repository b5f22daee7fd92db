// SPDX-License-Identifier: MIT
#pragma once

#include "driverless/runtime/runtime.h"

namespace compass {

/// The device of this ordinal, or null.
inline Device* find_device(Platform& platform, int ordinal) {
  const auto index = static_cast<std::size_t>(ordinal);  // negative: beyond all
  return index < platform.devices.size() ? platform.devices[index].get() : nullptr;
}

/// Runs `body` with the device of this ordinal, whichever is the thread's.
template <class Body>
hip::Error with_device_at(int ordinal, Body body) {
  return with_device([&](Device& current) {
    Device* const device = find_device(current.platform, ordinal);
    return device == nullptr ? hip::kErrorInvalidDevice : body(*device);
  });
}

/// Ends the work, the streams and the memory of a device, and forgets what was set of it.
hip::Error reset_device(Device& device);

}  // namespace compass
