// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <mutex>

#include "driverless/agent.h"
#include "driverless/runtime/device_memory.h"
#include "driverless/runtime/device_properties.h"
#include "driverless/runtime/error_state.h"
#include "driverless/runtime/fat_binaries.h"
#include "driverless/runtime/handle_registry.h"
#include "driverless/runtime/launcher.h"
#include "ir/hip/abi.h"

namespace compass {

/// A stream runs its work when it is enqueued, which is one legal order.
struct StreamState {
  unsigned flags = 0;
  int priority = 0;
};

struct EventState {
  unsigned flags = 0;
  bool recorded = false;
};

/// The one device that COMPASS_ARCH declares, with everything that a program makes on it.
struct Device {
  Device(const arch::Architecture& architecture, std::string decoder)
      : agent(architecture, std::move(decoder)),
        memory(agent.memory(), architecture.memory_bytes),
        launcher(agent),
        properties(properties_of(architecture)) {}

  /// Null and HIP's constants for the default streams are streams too.
  bool has_stream(hip::Stream stream);

  Agent agent;
  DeviceMemory memory;
  Launcher launcher;
  DeviceProperties properties;
  HandleRegistry<hip::Stream, StreamState> streams{0x5100'0000'0010};
  HandleRegistry<hip::Event, EventState> events{0x5200'0000'0010};
};

/// What the process has of HIP. Made on first use, never destroyed: programs call HIP before main
/// and from their destructors. Threads: whoever holds mutex().
class Runtime {
 public:
  static Runtime& get();

  std::mutex& mutex() { return mutex_; }
  FatBinaries& fat_binaries() { return fat_binaries_; }
  /// Null, and said once, where COMPASS_ARCH names no declared architecture.
  Device* device();
  /// Null where no call has needed the device so far.
  Device* existing_device() { return device_.get(); }

 private:
  Runtime() = default;

  std::mutex mutex_;
  FatBinaries fat_binaries_;
  std::unique_ptr<Device> device_;
};

/// Runs `body` with the device while no other thread does, and notes the error that it returns.
template <class Body>
hip::Error with_device(Body body) {
  Runtime& runtime = Runtime::get();
  const std::lock_guard lock(runtime.mutex());
  Device* const device = runtime.device();
  return note_error(device == nullptr ? hip::kErrorNoDevice : body(*device));
}

}  // namespace compass
