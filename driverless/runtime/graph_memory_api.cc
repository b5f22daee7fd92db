// SPDX-License-Identifier: MIT
#include <cstring>

#include "driverless/runtime/api.h"
#include "driverless/runtime/graph_memory.h"
#include "driverless/runtime/node_calls.h"

namespace compass::hip {
namespace {

Error make_allocation(Device& device, MemAllocNodeParams* parameters, NodeWork& work) {
  if (parameters == nullptr) return kErrorInvalidValue;
  parameters->pointer = nullptr;
  const MemLocation& location = parameters->properties.location;
  const bool is_right = parameters->size_bytes > 0 &&
                        parameters->properties.allocation_type == kMemAllocationTypePinned &&
                        location.type == kMemLocationTypeDevice && location.id >= 0 &&
                        location.id < static_cast<int>(device.platform.devices.size()) &&
                        (parameters->access_count == 0 || parameters->accesses != nullptr) &&
                        parameters->access_count <= device.platform.devices.size();
  if (!is_right) return kErrorInvalidValue;
  std::shared_ptr<GraphAllocation> made = GraphAllocation::make(device.platform, *parameters);
  if (made == nullptr) return kErrorOutOfMemory;
  parameters->pointer = made->pointer();
  work = MemoryAllocation{std::move(made)};
  return kSuccess;
}

/// Runs `body` with the accounts of a device's graphs.
template <class Body>
Error with_graph_pool(int device_ordinal, Body body) {
  return with_device([&](Device& device) {
    auto& devices = device.platform.devices;
    if (device_ordinal < 0 || static_cast<std::size_t>(device_ordinal) >= devices.size()) {
      return kErrorInvalidDevice;
    }
    Device& asked = *devices[static_cast<std::size_t>(device_ordinal)];
    return body(asked, graph_pool(asked));
  });
}

/// A pool's attribute for that of a device's graphs; 0 if HIP knows none.
MemPoolAttribute pool_attribute(GraphMemAttribute attribute) {
  switch (attribute) {
    case kGraphMemUsedCurrent:
      return kMemPoolUsedCurrent;
    case kGraphMemUsedHigh:
      return kMemPoolUsedHigh;
    case kGraphMemReservedCurrent:
      return kMemPoolReservedCurrent;
    case kGraphMemReservedHigh:
      return kMemPoolReservedHigh;
  }
  return MemPoolAttribute{};
}

}  // namespace

Error hipGraphAddMemAllocNode(GraphNode* node, Graph graph, const GraphNode* dependencies,
                              std::size_t count, MemAllocNodeParams* parameters) {
  return add_node(node, graph, dependencies, count, [&](Device& device, NodeWork& work) {
    return make_allocation(device, parameters, work);
  });
}

Error hipGraphAddMemFreeNode(GraphNode* node, Graph graph, const GraphNode* dependencies,
                             std::size_t count, void* pointer) {
  std::shared_ptr<GraphAllocation> freed;
  const Error error =
      add_node(node, graph, dependencies, count, [&](Device& device, NodeWork& work) {
        freed = find_unfreed(device.platform, pointer);
        if (freed == nullptr) return kErrorInvalidValue;
        work = MemoryFree{freed};
        return kSuccess;
      });
  if (error == kSuccess) freed->has_free_node = true;
  return error;
}

Error hipGraphMemAllocNodeGetParams(GraphNode node, MemAllocNodeParams* parameters) {
  return with_node(node, kGraphNodeMemAlloc, [&](const Node& found) {
    if (parameters == nullptr) return kErrorInvalidValue;
    *parameters = std::get<MemoryAllocation>(found.work).allocation->properties();
    return kSuccess;
  });
}

Error hipGraphMemFreeNodeGetParams(GraphNode node, void* pointer) {
  return with_node(node, kGraphNodeMemFree, [&](const Node& found) {
    if (pointer == nullptr) return kErrorInvalidValue;
    void* const freed = std::get<MemoryFree>(found.work).allocation->pointer();
    std::memcpy(pointer, &freed, sizeof freed);
    return kSuccess;
  });
}

Error hipDeviceGetGraphMemAttribute(int device_ordinal, GraphMemAttribute attribute, void* value) {
  return with_graph_pool(device_ordinal, [&](Device&, const MemoryPool& pool) {
    return value == nullptr ? kErrorInvalidValue : pool.get(pool_attribute(attribute), value);
  });
}

// Only high marks can be set, and only to 0: to what is now.
Error hipDeviceSetGraphMemAttribute(int device_ordinal, GraphMemAttribute attribute, void* value) {
  return with_graph_pool(device_ordinal, [&](Device&, MemoryPool& pool) {
    return value == nullptr ? kErrorInvalidValue : pool.set(pool_attribute(attribute), value);
  });
}

Error hipDeviceGraphMemTrim(int device_ordinal) {
  return with_graph_pool(device_ordinal, [&](Device& device, MemoryPool& pool) {
    device.used_bytes -= pool.trim_to(0);
    return kSuccess;
  });
}

}  // namespace compass::hip
