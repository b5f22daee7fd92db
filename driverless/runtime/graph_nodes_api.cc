// SPDX-License-Identifier: MIT
#include "driverless/runtime/api.h"
#include "driverless/runtime/node_calls.h"

namespace compass::hip {

Error hipGraphAddEmptyNode(GraphNode* node, Graph graph, const GraphNode* dependencies,
                           std::size_t count) {
  return add_node(node, graph, dependencies, count, [](Device&, NodeWork& work) {
    work = Operation{MarkOperation{}};
    return kSuccess;
  });
}

Error hipGraphAddKernelNode(GraphNode* node, Graph graph, const GraphNode* dependencies,
                            std::size_t count, const KernelNodeParams* parameters) {
  return add_node(node, graph, dependencies, count, [&](Device& device, NodeWork& work) {
    return make_work(device, parameters, work);
  });
}

Error hipGraphAddMemcpyNode(GraphNode* node, Graph graph, const GraphNode* dependencies,
                            std::size_t count, const Memcpy3DParms* parameters) {
  const Error error =
      add_node(node, graph, dependencies, count,
               [&](Device& device, NodeWork& work) { return make_work(device, parameters, work); });
  return error == kSuccess ? keep_parameters(*node, *parameters) : error;
}

Error hipGraphAddMemcpyNode1D(GraphNode* node, Graph graph, const GraphNode* dependencies,
                              std::size_t count, void* to, const void* from, std::size_t size_bytes,
                              MemcpyKind kind) {
  return add_node(node, graph, dependencies, count, [&](Device& device, NodeWork& work) {
    return make_copy_work(device, to, from, size_bytes, kind, work);
  });
}

Error hipGraphAddMemsetNode(GraphNode* node, Graph graph, const GraphNode* dependencies,
                            std::size_t count, const MemsetParams* parameters) {
  return add_node(node, graph, dependencies, count, [&](Device& device, NodeWork& work) {
    return make_work(device, parameters, work);
  });
}

Error hipGraphAddHostNode(GraphNode* node, Graph graph, const GraphNode* dependencies,
                          std::size_t count, const HostNodeParams* parameters) {
  return add_node(node, graph, dependencies, count, [&](Device& device, NodeWork& work) {
    return make_work(device, parameters, work);
  });
}

Error hipGraphAddChildGraphNode(GraphNode* node, Graph graph, const GraphNode* dependencies,
                                std::size_t count, Graph child) {
  return add_node(node, graph, dependencies, count, [&](Device& device, NodeWork& work) {
    return make_child_work(device, child, work);
  });
}

Error hipGraphAddEventRecordNode(GraphNode* node, Graph graph, const GraphNode* dependencies,
                                 std::size_t count, Event event) {
  return add_node(node, graph, dependencies, count, [&](Device& device, NodeWork& work) {
    return make_event_work<EventRecord>(device, event, work);
  });
}

Error hipGraphAddEventWaitNode(GraphNode* node, Graph graph, const GraphNode* dependencies,
                               std::size_t count, Event event) {
  return add_node(node, graph, dependencies, count, [&](Device& device, NodeWork& work) {
    return make_event_work<EventWait>(device, event, work);
  });
}

}  // namespace compass::hip
