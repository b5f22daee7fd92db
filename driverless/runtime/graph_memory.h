// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "driverless/runtime/runtime.h"
#include "ir/hip/graph_abi.h"

namespace compass {

/// Addresses that a graph's nodes make memory and end again, the same in every launch.
///
/// Nodes share it, and so does the memory while it is there: a program may free that itself when
/// the graph is gone. Threads: one at a time.
class GraphAllocation : public std::enable_shared_from_this<GraphAllocation> {
 public:
  /// Null where there are no addresses. Of `properties` the device counts; it exists.
  static std::shared_ptr<GraphAllocation> make(Platform& platform,
                                               const hip::MemAllocNodeParams& properties);
  ~GraphAllocation();
  GraphAllocation(const GraphAllocation&) = delete;
  GraphAllocation& operator=(const GraphAllocation&) = delete;

  void* pointer() const { return properties_.pointer; }
  /// What the program asked for, with the address. Valid as long as this.
  const hip::MemAllocNodeParams& properties() const { return properties_; }

  /// Makes the addresses memory, if they are not. What the device has was looked at before.
  void begin();
  bool is_mapped() const;
  /// The memory is there, and nobody has freed it.
  bool is_live() const;

  Device& device() const;

  bool has_free_node = false;

 private:
  explicit GraphAllocation(Platform& platform) : platform_(platform) {}

  Platform& platform_;
  hip::MemAllocNodeParams properties_{};
  std::vector<hip::MemAccessDesc> accesses_;
};

/// The accounts of what graphs allocate on a device; it keeps what it does not use.
MemoryPool& graph_pool(Device& device);

/// The allocation at `pointer` that no node frees yet; null if there is none.
std::shared_ptr<GraphAllocation> find_unfreed(Platform& platform, const void* pointer);

// hipMallocAsync and hipFreeAsync on a captured stream: they become nodes.
hip::Error capture_allocation(Platform& platform, const Queue& queue, int device_ordinal,
                              std::uint64_t size_bytes, void** pointer);
hip::Error capture_free(Platform& platform, const Queue& queue, const void* pointer);

}  // namespace compass
