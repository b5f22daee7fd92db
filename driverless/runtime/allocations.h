// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>

#include "driverless/runtime/runtime.h"

namespace compass {

// Memory of devices, which have only so much: allocation and its end with the accounts kept.

/// with_device() for a call that captures forbid, as allocating and freeing do.
template <class Body>
hip::Error with_device_uncaptured(Body body) {
  return with_device([&](Device& device) {
    const hip::Error forbidden = device.platform.captures.check(CallKind::kUnsafe);
    return forbidden == hip::kSuccess ? body(device) : forbidden;
  });
}

/// Memory of a device, as far as it has some. `pointer` is not null; no bytes give null.
hip::Error allocate_on(Device& device, unsigned flags, std::uint64_t size_bytes, void** pointer);

/// The same from a pool of that device.
hip::Error allocate_from(Platform& platform, const std::shared_ptr<MemoryPool>& pool,
                         std::uint64_t size_bytes, void** pointer);

/// Ends an allocation now. kErrorInvalidValue where none that a program can free starts there.
hip::Error end_allocation(Platform& platform, const void* pointer);

/// Ends an allocation of a kind of which `is_right` holds when all work is done that may use it.
/// Null is fine, as HIP has it.
hip::Error free_after_work(Platform& platform, void* pointer, bool (*is_right)(RegionKind));

/// Ends the allocation that starts there, if there is one, whether or not its end has begun.
void end_any_allocation(Platform& platform, const void* pointer);

/// Ends an allocation in the order of the stream. New work may not use it from now on.
hip::Error free_in_order(Device& device, void* pointer, hip::Stream stream);

/// The pool that a device starts with, and the one that hipMallocAsync uses.
hip::MemPool default_pool(Device& device);
hip::MemPool current_pool(Device& device);

/// The host has waited: pools give back what they hold beyond their thresholds.
void trim_pools(Platform& platform);

/// Takes `size_bytes` of a device's memory into use; what is freed but not yet given back counts as
/// free. False where it has not so much.
bool take_bytes(Device& device, std::uint64_t size_bytes);

}  // namespace compass
