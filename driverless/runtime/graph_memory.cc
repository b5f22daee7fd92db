// SPDX-License-Identifier: MIT
#include "driverless/runtime/graph_memory.h"

#include <utility>

#include "driverless/runtime/allocations.h"

namespace compass {

std::shared_ptr<GraphAllocation> GraphAllocation::make(Platform& platform,
                                                       const hip::MemAllocNodeParams& properties) {
  std::shared_ptr<GraphAllocation> made(new GraphAllocation(platform));
  made->properties_ = properties;
  made->properties_.pointer = platform.memory.reserve_for_graph(properties.size_bytes);
  if (made->pointer() == nullptr) return nullptr;
  made->accesses_.assign(properties.accesses, properties.accesses + properties.access_count);
  made->properties_.accesses = made->accesses_.empty() ? nullptr : made->accesses_.data();
  platform.graphs.allocations[made->pointer()] = made;
  return made;
}

GraphAllocation::~GraphAllocation() {
  if (pointer() == nullptr) return;
  platform_.graphs.allocations.erase(pointer());
  platform_.memory.release_from_graph(pointer());
}

Device& GraphAllocation::device() const {
  return *platform_.devices[static_cast<std::size_t>(properties_.properties.location.id)];
}

bool GraphAllocation::is_mapped() const {
  return platform_.memory.find(pointer()) || platform_.memory.ending_at(pointer());
}

void GraphAllocation::begin() {
  if (is_mapped()) return;
  MemoryPool& pool = graph_pool(device());
  device().used_bytes += pool.growth_for(properties_.size_bytes);
  pool.begin_use(properties_.size_bytes);
  const Region region{.base = {reinterpret_cast<std::uint64_t>(pointer())},
                      .size_bytes = properties_.size_bytes,
                      .host = static_cast<std::byte*>(pointer()),
                      .kind = RegionKind::kDevice,
                      .id = {}};
  const hip::Error error = platform_.memory.map(region, {.source = AllocationOrigin::Source::kPool,
                                                         .device_ordinal = device().ordinal,
                                                         .pool = device().graph_pool,
                                                         .addresses = shared_from_this()});
  CHECK(error == hip::kSuccess);
}

bool GraphAllocation::is_live() const {
  return static_cast<bool>(platform_.memory.starting_at(pointer()));
}

MemoryPool& graph_pool(Device& device) {
  if (device.graph_pool == nullptr) {
    device.graph_pool = std::make_shared<MemoryPool>(device.ordinal);
  }
  return *device.graph_pool;
}

std::shared_ptr<GraphAllocation> find_unfreed(Platform& platform, const void* pointer) {
  const auto found = platform.graphs.allocations.find(pointer);
  if (found == platform.graphs.allocations.end()) return nullptr;
  std::shared_ptr<GraphAllocation> allocation = found->second.lock();
  return allocation == nullptr || allocation->has_free_node ? nullptr : allocation;
}

hip::Error capture_allocation(Platform& platform, const Queue& queue, int device_ordinal,
                              std::uint64_t size_bytes, void** pointer) {
  *pointer = nullptr;
  if (size_bytes == 0) return hip::kSuccess;
  hip::MemAllocNodeParams properties{};
  properties.properties = {.allocation_type = hip::kMemAllocationTypePinned,
                           .handle_types = hip::kMemHandleTypeNone,
                           .location = {hip::kMemLocationTypeDevice, device_ordinal},
                           .win32_security_attributes = nullptr,
                           .max_size = 0,
                           .reserved = {}};
  properties.size_bytes = size_bytes;
  std::shared_ptr<GraphAllocation> allocation = GraphAllocation::make(platform, properties);
  if (allocation == nullptr) return hip::kErrorOutOfMemory;
  void* const start = allocation->pointer();
  const hip::Error error = queue.capture->add(queue, MemoryAllocation{std::move(allocation)});
  if (error == hip::kSuccess) *pointer = start;
  return error;
}

hip::Error capture_free(Platform& platform, const Queue& queue, const void* pointer) {
  std::shared_ptr<GraphAllocation> allocation = find_unfreed(platform, pointer);
  if (allocation == nullptr) return hip::kErrorInvalidValue;
  const hip::Error error = queue.capture->add(queue, MemoryFree{allocation});
  if (error == hip::kSuccess) allocation->has_free_node = true;
  return error;
}

}  // namespace compass
