// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "driverless/agent.h"
#include "driverless/runtime/declared_devices.h"
#include "driverless/runtime/device_memory.h"
#include "driverless/runtime/device_properties.h"
#include "driverless/runtime/device_settings.h"
#include "driverless/runtime/error_state.h"
#include "driverless/runtime/executor.h"
#include "driverless/runtime/fat_binaries.h"
#include "driverless/runtime/graphs.h"
#include "driverless/runtime/handle_registry.h"
#include "driverless/runtime/memory_pool.h"
#include "driverless/runtime/modules.h"
#include "driverless/runtime/queue.h"
#include "driverless/runtime/scheduler.h"
#include "ir/hip/abi.h"

namespace compass {

struct EventState {
  unsigned flags = 0;
  bool recorded = false;
  Point point;             ///< of the last record
  CapturedPoint captured;  ///< of the last record, if a capture made that a place in a graph

  void record(Point where) {
    point = std::move(where);
    recorded = true;
    captured = {};
  }
  void record(CapturedPoint where) {
    point = {};
    recorded = false;
    captured = std::move(where);
  }
};

struct Platform;

/// One of the devices that COMPASS_ARCH and COMPASS_DEVICES declare.
struct Device {
  Platform& platform;
  int ordinal = 0;
  DeviceProperties properties;
  std::uint64_t declared_bytes = 0;
  std::uint64_t used_bytes = 0;  ///< of device memory
  std::shared_ptr<Queue> legacy_queue;
  hip::MemPool default_pool = nullptr;     ///< made by the first who asks: see allocations.h
  hip::MemPool current_pool = nullptr;     ///< null: the default one
  std::shared_ptr<MemoryPool> graph_pool;  ///< see graph_memory.h
  DeviceSettings settings;

  /// Of memory that a graph needs again, its enqueued launches may use more than there is.
  std::uint64_t free_bytes() const { return declared_bytes - std::min(used_bytes, declared_bytes); }
};

/// What all devices share, with everything that a program makes on them. They have one address
/// space and one agent, which loads code for each.
struct Platform {
  /// `declared` must outlive this.
  Platform(std::mutex& mutex, const arch::DeclaredDevices& declared, std::string decoder,
           Schedule schedule);

  std::unique_ptr<WatchedMemory> watched;  ///< pinned memory, where work is kept back
  Agent agent;
  DeviceMemory memory;
  Executor executor;
  Scheduler scheduler;
  HandleRegistry<hip::Stream, std::shared_ptr<Queue>> streams{0x5100'0000'0010};
  HandleRegistry<hip::Event, EventState> events{0x5200'0000'0010};
  Modules modules;
  Graphs graphs;
  Captures captures;
  HandleRegistry<hip::MemPool, std::shared_ptr<MemoryPool>> pools{0x5300'0000'0010};
  std::vector<std::unique_ptr<Device>> devices;

 private:
  void watch_pinned_memory(std::mutex& mutex);
};

inline CodeTarget code_target(Platform& platform, int device_ordinal) {
  return {platform.agent, platform.memory, device_ordinal};
}

/// The queue behind a stream as `device`'s thread names it; null where it is none. Null and HIP's
/// constants for the default streams are streams too.
std::shared_ptr<Queue> find_queue(Device& device, hip::Stream stream);

/// What the process has of HIP. Made on first use, never destroyed: programs call HIP before main
/// and from their destructors. Threads: whoever holds mutex().
class Runtime {
 public:
  static Runtime& get();

  std::mutex& mutex() { return mutex_; }
  FatBinaries& fat_binaries() { return fat_binaries_; }

  /// The calling thread's device. Where there is none `error` says so, and once the user is told
  /// why: no declared architecture, or a fork after use, which a device does not survive.
  Device* device(hip::Error& error);
  /// Null where no call has needed a device so far.
  Platform* existing_platform() { return platform_.get(); }

 private:
  Runtime() = default;
  void begin_child();  // in a forked process

  bool forked_ = false;  // after its parent had used a device
  std::mutex mutex_;
  FatBinaries fat_binaries_;
  std::unique_ptr<Platform> platform_;
};

/// The ordinal that hipSetDevice chose for this thread.
int& current_device_ordinal();

/// Runs `body` with the thread's device while no other thread does, and notes the error that it
/// returns.
template <class Body>
hip::Error with_device(Body body) {
  Runtime& runtime = Runtime::get();
  const std::lock_guard lock(runtime.mutex());
  hip::Error error = hip::kSuccess;
  Device* const device = runtime.device(error);
  return note_error(device == nullptr ? error : body(*device));
}

}  // namespace compass
