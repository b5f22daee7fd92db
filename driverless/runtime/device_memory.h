// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>

#include "driverless/machine/memory.h"
#include "driverless/runtime/host_arena.h"
#include "driverless/runtime/operation.h"
#include "driverless/runtime/watched_memory.h"
#include "ir/hip/abi.h"

namespace compass {

/// What a program allocates, on all devices, and pinned host memory.
///
/// Host address and device address are the same. Every call checks that what it is given lies
/// inside one live allocation, and answers with the error that HIP documents. How much a device has
/// is the caller's to know. Threads: one at a time.
class DeviceMemory {
 public:
  /// `memory` is the agent's and must outlive this.
  explicit DeviceMemory(Memory& memory) : memory_(memory) {}

  /// Pinned memory that is allocated from now on is watched. `watched` must outlive this.
  void watch(WatchedMemory& watched) { watched_ = &watched; }

  /// `kind` is kDevice or kPinnedHost. No bytes: null, and success.
  hip::Error allocate(RegionKind kind, std::uint64_t size_bytes, void** pointer);
  /// Ends the allocation of that kind that starts at `pointer`.
  hip::Error free(RegionKind kind, void* pointer);
  /// The live allocation that starts at `pointer`, or null.
  const Region* starting_at(const void* pointer) const;

  /// Where the bytes at `pointer` are stored; null where they are not in one live allocation.
  void* storage(const void* pointer, std::uint64_t size_bytes) const;

  /// Whether `pointer` is the host's own memory, of which the runtime knows nothing.
  bool is_pageable(const void* pointer) const;

  /// Whether the operation can be enqueued.
  hip::Error check(const CopyOperation& copy) const;
  hip::Error check(const FillOperation& fill) const;

  /// Carries it out, as far as memory is still what it was when it was checked.
  void run(const CopyOperation& copy, std::uint32_t writer);
  void run(const FillOperation& fill, std::uint32_t writer);

 private:
  enum class Place : std::uint8_t { kLive, kHost, kInvalid };

  /// Bytes that a program named, and where they are stored.
  struct Located {
    Place place = Place::kInvalid;
    std::byte* host = nullptr;
  };

  Located locate(const void* address, std::uint64_t size_bytes) const;
  HostArena* arena();

  Memory& memory_;
  WatchedMemory* watched_ = nullptr;
  std::uint32_t allocations_ = 0;
  std::optional<HostArena> arena_;
  std::unordered_map<std::uint64_t, std::uint32_t> generations_;  // by address
};

/// How many bytes lie from the first byte of the box at `place` to its last; none where it is
/// empty. Absent where that is no number of 64 bits, or rows or slices overlap.
std::optional<std::uint64_t> span_bytes(const Pitched& place, const Box& box);

}  // namespace compass
