// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "driverless/machine/host_storage.h"
#include "driverless/machine/memory.h"
#include "driverless/runtime/host_arena.h"
#include "driverless/runtime/operation.h"
#include "driverless/runtime/watched_memory.h"
#include "ir/fault.h"
#include "ir/hip/abi.h"

namespace compass {

/// A side of a copy or fill that is no longer live memory when it is carried out.
struct FaultyTransfer {
  FaultKind kind = FaultKind::kOutOfBounds;
  AccessKind access = AccessKind::kLoad;
  const void* pointer = nullptr;
  std::uint64_t size_bytes = 0;
};

class MemoryPool;

/// How memory came to be, and what the program said of it then.
struct AllocationOrigin {
  enum class Source : std::uint8_t {
    kAllocated,   ///< hipMalloc and its like, for the device or the host
    kPool,        ///< in stream order
    kRegistered,  ///< the host's own pages
    kMapped,      ///< the virtual memory calls
    kVariable,    ///< a managed variable of the program's code
  };
  Source source = Source::kAllocated;
  int device_ordinal = 0;
  unsigned flags = 0;
  bool synchronizes = false;                   ///< what the program set of it: SYNC_MEMOPS
  std::shared_ptr<MemoryPool> pool = nullptr;  ///< of kPool
  /// Who keeps the addresses, and may make them memory again. Null: they end with the memory.
  std::shared_ptr<const void> addresses = nullptr;

  bool is_freeable() const { return source == Source::kAllocated || source == Source::kPool; }
};

/// A live allocation, or none. Valid until an allocation begins or ends.
struct LiveAllocation {
  const Region* region = nullptr;
  const AllocationOrigin* origin = nullptr;

  explicit operator bool() const { return region != nullptr; }
};

/// What a program allocates, on all devices, and the host memory that they can address.
///
/// Every call checks that what it is given lies inside live allocations, and answers with the error
/// that HIP documents. Host address and device address are the same, except of memory that is
/// mapped by hipMemMap. How much a device has is the caller's to know. Threads: one at a time.
class DeviceMemory {
 public:
  /// `memory` is the agent's and must outlive this.
  explicit DeviceMemory(Memory& memory) : memory_(memory) {}

  /// What the host may touch is watched if it is allocated from now on. `watched` must outlive
  /// this.
  void watch(WatchedMemory& watched) { watched_ = &watched; }

  /// No bytes: null, and success.
  hip::Error allocate(RegionKind kind, std::uint64_t size_bytes, void** pointer,
                      AllocationOrigin origin = {});
  /// Makes bytes that are stored already an allocation: their kind, place and size are given.
  hip::Error map(Region region, AllocationOrigin origin);
  /// Ends the allocation that starts at `pointer`.
  hip::Error end(const void* pointer);
  /// The program has freed it, in the order of a stream that has not come there: no new work may
  /// use it.
  void begin_end(const void* pointer);

  /// The live allocation that contains `pointer`, or that starts there. One whose end has begun is
  /// none.
  LiveAllocation find(const void* pointer) const;
  LiveAllocation starting_at(const void* pointer) const;
  /// The one that starts there and whose end has begun.
  LiveAllocation ending_at(const void* pointer) const;

  /// Keeps what the program set. False where there is no allocation.
  bool set_synchronizes(const void* pointer, bool synchronizes);

  /// Where the allocations of a device's memory start that a program can free.
  std::vector<const void*> freeable_on(int device_ordinal) const;

  /// A range of addresses without memory; null where there is none. release() ends it.
  void* reserve(std::uint64_t size_bytes);
  void release(void* start);

  /// The same for memory that a graph's nodes allocate: operations that name it pass check(), but
  /// only nodes may do them before it is there.
  void* reserve_for_graph(std::uint64_t size_bytes);
  void release_from_graph(void* start);
  /// Whether the operation names memory of a graph's that is not there now.
  bool is_for_graph(const Operation& operation) const;

  /// Where the bytes at `pointer` are stored; null where they are not in one live allocation.
  void* storage(const void* pointer, std::uint64_t size_bytes) const;

  /// Whether `pointer` is the host's own memory, of which the runtime knows nothing.
  bool is_pageable(const void* pointer) const;

  /// Whether the operation can be enqueued.
  hip::Error check(const CopyOperation& copy) const;
  hip::Error check(const FillOperation& fill) const;

  /// Carries it out, as far as memory is still what it was when it was checked. What it must not
  /// touch any more, if there is such.
  std::optional<FaultyTransfer> run(const CopyOperation& copy, std::uint32_t writer);
  std::optional<FaultyTransfer> run(const FillOperation& fill, std::uint32_t writer);

  /// Why bytes that are no live memory must not be touched.
  FaultyTransfer fault_of(AccessKind access, const void* address, std::uint64_t size_bytes) const;

  /// Memory that was allocated once: the `generation`-th at `base`.
  struct Allocated {
    DeviceAddress base;
    std::uint32_t generation = 0;
  };
  /// Null where `id` is none of a program's.
  const Allocated* allocated(AllocationId id) const;
  /// Who wrote that byte last; 0: nobody, or it is freed.
  std::uint32_t writer(AllocationId id, std::uint64_t offset_bytes) const;

 private:
  /// kGraph: a graph's, but not there now.
  enum class Place : std::uint8_t { kLive, kHost, kGraph, kInvalid };

  /// The first of the bytes that a program named, those in one place, and where they are stored.
  struct Located {
    Place place = Place::kInvalid;
    std::byte* host = nullptr;
    std::uint64_t size_bytes = 0;
    const Region* region = nullptr;  ///< of kLive
  };

  Located locate(const void* address, std::uint64_t size_bytes) const;
  Place place_of(const void* address, std::uint64_t size_bytes) const;
  Place place_of(const Pitched& place, const Box& box) const;
  bool is_in_graph(const void* address, std::uint64_t size_bytes) const;
  LiveAllocation any_with(const void* pointer) const;
  bool is_mapped(const Region& region) const;
  std::optional<FaultyTransfer> copy_row(void* to, const void* from, const std::byte* staged,
                                         std::uint64_t size_bytes, std::uint32_t writer);
  HostArena* arena();

  Memory& memory_;
  WatchedMemory* watched_ = nullptr;
  std::vector<Allocated> allocated_;  // by id, less 1
  HostStorage storage_;
  std::optional<HostArena> arena_;
  std::unordered_map<std::uint64_t, std::uint32_t> generations_;  // by address
  std::unordered_map<AllocationId, AllocationOrigin> origins_;    // of what is live
  std::unordered_set<AllocationId> ending_;
  std::map<std::uint64_t, std::uint64_t> graph_ranges_;  // begin to end
};

/// How many bytes lie from the first byte of the box at `place` to its last; none where it is
/// empty. Absent where that is no number of 64 bits, or rows or slices overlap.
std::optional<std::uint64_t> span_bytes(const Pitched& place, const Box& box);

}  // namespace compass
