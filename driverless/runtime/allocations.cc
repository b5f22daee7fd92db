// SPDX-License-Identifier: MIT
#include "driverless/runtime/allocations.h"

#include <utility>

#include "driverless/runtime/devices.h"
#include "driverless/runtime/graph_memory.h"
#include "driverless/runtime/submit.h"

namespace compass {
namespace {

using Source = AllocationOrigin::Source;

void give_back(Platform& platform, MemoryPool& pool, std::uint64_t given_bytes) {
  find_device(platform, pool.device_ordinal())->used_bytes -= given_bytes;
}

void end_use(Platform& platform, const LiveAllocation& ended) {
  const std::uint64_t size_bytes = ended.region->size_bytes;
  if (ended.origin->source == Source::kPool) {
    MemoryPool& pool = *ended.origin->pool;
    pool.end_use(size_bytes);
    if (pool.is_retired()) give_back(platform, pool, pool.trim_to(0));
  } else if (ended.region->kind == RegionKind::kDevice) {
    find_device(platform, ended.origin->device_ordinal)->used_bytes -= size_bytes;
  }
}

/// The allocation that starts at `pointer`, whether or not its end in stream order has begun, ends.
void end_now(Platform& platform, const LiveAllocation& ending) {
  const std::uint64_t base = ending.region->base.value;
  end_use(platform, ending);
  // NOLINTNEXTLINE(performance-no-int-to-ptr): host and device address are the same
  const hip::Error error = platform.memory.end(reinterpret_cast<const void*>(base));
  CHECK(error == hip::kSuccess);
}

/// Frees in stream order may be due, and pools may hold what they do not use.
void make_room(Device& device) {
  Platform& platform = device.platform;
  platform.scheduler.run_ready();
  platform.pools.for_each([&](const std::shared_ptr<MemoryPool>& pool) {
    if (pool->device_ordinal() == device.ordinal) give_back(platform, *pool, pool->trim_to(0));
  });
  MemoryPool& unused = graph_pool(device);
  give_back(platform, unused, unused.trim_to(0));
}

}  // namespace

bool take_bytes(Device& device, std::uint64_t size_bytes) {
  if (size_bytes > device.free_bytes()) make_room(device);
  if (size_bytes > device.free_bytes()) return false;
  device.used_bytes += size_bytes;
  return true;
}

hip::Error allocate_on(Device& device, unsigned flags, std::uint64_t size_bytes, void** pointer) {
  *pointer = nullptr;
  if (!take_bytes(device, size_bytes)) return hip::kErrorOutOfMemory;
  const hip::Error error = device.platform.memory.allocate(
      RegionKind::kDevice, size_bytes, pointer, {.device_ordinal = device.ordinal, .flags = flags});
  if (error != hip::kSuccess) device.used_bytes -= size_bytes;
  return error;
}

hip::Error allocate_from(Platform& platform, const std::shared_ptr<MemoryPool>& pool,
                         std::uint64_t size_bytes, void** pointer) {
  *pointer = nullptr;
  if (size_bytes == 0) return hip::kSuccess;
  if (!pool->has_room_for(size_bytes)) return hip::kErrorOutOfMemory;
  Device& device = *find_device(platform, pool->device_ordinal());
  if (pool->growth_for(size_bytes) > device.free_bytes()) make_room(device);
  const std::uint64_t growth_bytes = pool->growth_for(size_bytes);
  if (growth_bytes > device.free_bytes()) return hip::kErrorOutOfMemory;
  const hip::Error error = platform.memory.allocate(
      RegionKind::kDevice, size_bytes, pointer,
      {.source = Source::kPool, .device_ordinal = pool->device_ordinal(), .pool = pool});
  if (error != hip::kSuccess) return error;
  device.used_bytes += growth_bytes;
  pool->begin_use(size_bytes);
  return hip::kSuccess;
}

hip::Error end_allocation(Platform& platform, const void* pointer) {
  const LiveAllocation found = platform.memory.starting_at(pointer);
  if (!found || !found.origin->is_freeable()) return hip::kErrorInvalidValue;
  end_now(platform, found);
  return hip::kSuccess;
}

hip::Error free_after_work(Platform& platform, void* pointer, bool (*is_right)(RegionKind)) {
  if (pointer == nullptr) return hip::kSuccess;
  const auto can_end = [&] {
    const LiveAllocation found = platform.memory.starting_at(pointer);
    return found && found.origin->is_freeable() && is_right(found.region->kind);
  };
  if (!can_end()) return hip::kErrorInvalidValue;
  if (HostFunctions::is_this_thread()) return hip::kErrorIllegalState;
  platform.scheduler.wait_for_all();
  // Another thread may have ended it while this one waited.
  return can_end() ? end_allocation(platform, pointer) : hip::kErrorInvalidValue;
}

void end_any_allocation(Platform& platform, const void* pointer) {
  const LiveAllocation live = platform.memory.starting_at(pointer);
  const LiveAllocation found = live ? live : platform.memory.ending_at(pointer);
  if (found) end_now(platform, found);
}

hip::Error free_in_order(Device& device, void* pointer, hip::Stream stream) {
  Platform& platform = device.platform;
  const std::shared_ptr<Queue> queue = find_queue(device, stream);
  if (queue != nullptr && queue->capture != nullptr) return capture_free(platform, *queue, pointer);
  const LiveAllocation found = platform.memory.starting_at(pointer);
  const bool can_end =
      found && found.origin->is_freeable() && found.region->kind != RegionKind::kPinnedHost;
  if (!can_end) return hip::kErrorInvalidValue;
  if (queue == nullptr) return hip::kErrorInvalidHandle;
  const hip::Error error = platform.captures.check_work(*queue);
  if (error != hip::kSuccess) return error;
  platform.memory.begin_end(pointer);
  return submit(device, stream, FreeOperation{[&platform, pointer] {
                  const LiveAllocation ending = platform.memory.ending_at(pointer);
                  if (ending) end_now(platform, ending);
                }});
}

hip::MemPool default_pool(Device& device) {
  if (device.default_pool == nullptr) {
    device.default_pool = device.platform.pools.add(std::make_shared<MemoryPool>(device.ordinal));
  }
  return device.default_pool;
}

hip::MemPool current_pool(Device& device) {
  return device.current_pool == nullptr ? default_pool(device) : device.current_pool;
}

void trim_pools(Platform& platform) {
  platform.pools.for_each([&](const std::shared_ptr<MemoryPool>& pool) {
    give_back(platform, *pool, pool->trim_to_threshold());
  });
}

}  // namespace compass
