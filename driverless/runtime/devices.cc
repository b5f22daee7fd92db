// SPDX-License-Identifier: MIT
#include "driverless/runtime/devices.h"

#include "driverless/runtime/allocations.h"

namespace compass {

hip::Error reset_device(Device& device) {
  if (HostFunctions::is_this_thread()) return hip::kErrorIllegalState;
  Platform& platform = device.platform;
  platform.scheduler.wait_for_all();
  platform.streams.remove_if(
      [&](const std::shared_ptr<Queue>& queue) { return queue->device_ordinal == device.ordinal; });
  for (const void* const start : platform.memory.freeable_on(device.ordinal)) {
    CHECK(end_allocation(platform, start) == hip::kSuccess);
  }
  device.settings = {};
  return hip::kSuccess;
}

}  // namespace compass
