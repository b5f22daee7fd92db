// SPDX-License-Identifier: MIT
#include "driverless/runtime/abi_major.h"
#include "driverless/runtime/allocations.h"
#include "driverless/runtime/api.h"
#include "driverless/runtime/devices.h"
#include "driverless/runtime/graph_memory.h"
#include "driverless/runtime/runtime.h"

namespace compass::hip {
namespace {

constexpr int kFirstMajorThatFreesNull = 7;

/// Runs `body` with the pool behind `pool`.
template <class Body>
Error with_pool(MemPool pool, Body body) {
  return with_device([&](Device& device) {
    const std::shared_ptr<MemoryPool>* const found = device.platform.pools.find(pool);
    return found == nullptr ? kErrorInvalidValue : body(device, *found);
  });
}

Error allocate_in_order(Platform& platform, const Queue& queue, MemPool pool,
                        std::size_t size_bytes, void** pointer) {
  const std::shared_ptr<MemoryPool>* const found = platform.pools.find(pool);
  if (found == nullptr) return kErrorInvalidValue;
  if (queue.capture != nullptr) {
    return capture_allocation(platform, queue, (*found)->device_ordinal(), size_bytes, pointer);
  }
  const Error error = platform.captures.check_work(queue);
  return error == kSuccess ? allocate_from(platform, *found, size_bytes, pointer) : error;
}

}  // namespace

// Memory is there at once, so that every order in which streams run finds it.
Error hipMallocAsync(void** pointer, std::size_t size_bytes, Stream stream) {
  return with_device([&](Device& device) {
    if (pointer == nullptr) return kErrorInvalidValue;
    const std::shared_ptr<Queue> queue = find_queue(device, stream);
    if (queue == nullptr) return kErrorInvalidHandle;
    Device& owner = *find_device(device.platform, queue->device_ordinal);
    return allocate_in_order(device.platform, *queue, current_pool(owner), size_bytes, pointer);
  });
}

Error hipMallocFromPoolAsync(void** pointer, std::size_t size_bytes, MemPool pool, Stream stream) {
  return with_device([&](Device& device) {
    if (pointer == nullptr) return kErrorInvalidValue;
    const std::shared_ptr<Queue> queue = find_queue(device, stream);
    if (queue == nullptr) return kErrorInvalidHandle;
    return allocate_in_order(device.platform, *queue, pool, size_bytes, pointer);
  });
}

Error hipFreeAsync(void* pointer, Stream stream) {
  return with_device([&](Device& device) {
    if (pointer == nullptr && abi_major() >= kFirstMajorThatFreesNull) return kSuccess;
    return free_in_order(device, pointer, stream);
  });
}

Error hipDeviceGetDefaultMemPool(MemPool* pool, int device_ordinal) {
  return with_device([&](Device& device) {
    if (pool == nullptr) return kErrorInvalidValue;
    Device* const asked = find_device(device.platform, device_ordinal);
    if (asked == nullptr) return kErrorInvalidDevice;
    *pool = default_pool(*asked);
    return kSuccess;
  });
}

Error hipDeviceGetMemPool(MemPool* pool, int device_ordinal) {
  return with_device([&](Device& device) {
    if (pool == nullptr) return kErrorInvalidValue;
    Device* const asked = find_device(device.platform, device_ordinal);
    if (asked == nullptr) return kErrorInvalidDevice;
    *pool = current_pool(*asked);
    return kSuccess;
  });
}

Error hipDeviceSetMemPool(int device_ordinal, MemPool pool) {
  return with_pool(pool, [&](Device& device, const std::shared_ptr<MemoryPool>& found) {
    Device* const asked = find_device(device.platform, device_ordinal);
    if (asked == nullptr || found->device_ordinal() != device_ordinal) return kErrorInvalidDevice;
    asked->current_pool = pool;
    return kSuccess;
  });
}

Error hipMemPoolCreate(MemPool* pool, const MemPoolProps* properties) {
  return with_device([&](Device& device) {
    if (pool == nullptr || properties == nullptr) return kErrorInvalidValue;
    const MemLocation& location = properties->location;
    if (properties->allocation_type != kMemAllocationTypePinned ||
        location.type != kMemLocationTypeDevice ||
        find_device(device.platform, location.id) == nullptr) {
      return kErrorInvalidValue;
    }
    // A pool whose memory another process could open.
    if (properties->handle_types != kMemHandleTypeNone) return kErrorNotSupported;
    *pool =
        device.platform.pools.add(std::make_shared<MemoryPool>(location.id, properties->max_size));
    return kSuccess;
  });
}

Error hipMemPoolDestroy(MemPool pool) {
  return with_pool(pool, [&](Device& device, const std::shared_ptr<MemoryPool>& found) {
    Device& owner = *find_device(device.platform, found->device_ordinal());
    if (pool == default_pool(owner)) return kErrorInvalidValue;
    if (owner.current_pool == pool) owner.current_pool = nullptr;
    found->retire();
    trim_pools(device.platform);
    device.platform.pools.remove(pool);
    return kSuccess;
  });
}

Error hipMemPoolTrimTo(MemPool pool, std::size_t least_bytes) {
  return with_pool(pool, [&](Device& device, const std::shared_ptr<MemoryPool>& found) {
    find_device(device.platform, found->device_ordinal())->used_bytes -=
        found->trim_to(least_bytes);
    return kSuccess;
  });
}

Error hipMemPoolSetAttribute(MemPool pool, MemPoolAttribute attribute, void* value) {
  return with_pool(pool, [&](Device&, const std::shared_ptr<MemoryPool>& found) {
    return value == nullptr ? kErrorInvalidValue : found->set(attribute, value);
  });
}

Error hipMemPoolGetAttribute(MemPool pool, MemPoolAttribute attribute, void* value) {
  return with_pool(pool, [&](Device&, const std::shared_ptr<MemoryPool>& found) {
    return value == nullptr ? kErrorInvalidValue : found->get(attribute, value);
  });
}

// Kept, and told on request: all devices address the same memory.
Error hipMemPoolSetAccess(MemPool pool, const MemAccessDesc* accesses, std::size_t count) {
  return with_pool(pool, [&](Device& device, const std::shared_ptr<MemoryPool>& found) {
    if (accesses == nullptr) return kErrorInvalidValue;
    for (std::size_t i = 0; i < count; ++i) {
      const auto& [location, flags] = accesses[i];
      const bool is_right =
          location.type == kMemLocationTypeDevice &&
          find_device(device.platform, location.id) != nullptr &&
          (flags == kMemAccessNone || flags == kMemAccessRead || flags == kMemAccessReadWrite);
      // A pool's own device cannot lose access.
      if (!is_right || (location.id == found->device_ordinal() && flags == kMemAccessNone)) {
        return kErrorInvalidValue;
      }
      found->set_access(location.id, flags);
    }
    return kSuccess;
  });
}

Error hipMemPoolGetAccess(MemAccessFlags* flags, MemPool pool, MemLocation* location) {
  return with_pool(pool, [&](Device& device, const std::shared_ptr<MemoryPool>& found) {
    if (flags == nullptr || location == nullptr || location->type != kMemLocationTypeDevice ||
        find_device(device.platform, location->id) == nullptr) {
      return kErrorInvalidValue;
    }
    *flags = found->access_of(location->id);
    return kSuccess;
  });
}

}  // namespace compass::hip
