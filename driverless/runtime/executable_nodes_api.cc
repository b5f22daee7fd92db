// SPDX-License-Identifier: MIT
#include <optional>
#include <utility>
#include <vector>

#include "driverless/runtime/api.h"
#include "driverless/runtime/graph_update.h"
#include "driverless/runtime/node_calls.h"

namespace compass::hip {
namespace {

/// Runs `body` with a node of an executable graph that can be switched off.
template <class Body>
Error with_switch(GraphExec executable, GraphNode node, Body body) {
  return with_device([&](Device& device) {
    Graphs& graphs = device.platform.graphs;
    const auto* const graph = graphs.executables.find(executable);
    if (graph == nullptr || graphs.nodes.find(node) == nullptr) return kErrorInvalidValue;
    ExecutableNode* const found = (*graph)->find(node);
    if (found == nullptr) return kErrorInvalidValue;
    const GraphNodeType type = type_of(found->work);
    const bool has_switch =
        type == kGraphNodeKernel || type == kGraphNodeMemcpy || type == kGraphNodeMemset;
    return has_switch ? body(*found) : kErrorInvalidValue;
  });
}

}  // namespace

Error hipGraphExecKernelNodeSetParams(GraphExec executable, GraphNode node,
                                      const KernelNodeParams* parameters) {
  return set_executable_node(
      executable, node, kGraphNodeKernel,
      [&](Device& device, NodeWork& work) { return make_work(device, parameters, work); });
}

Error hipGraphExecMemcpyNodeSetParams(GraphExec executable, GraphNode node,
                                      Memcpy3DParms* parameters) {
  return set_executable_node(
      executable, node, kGraphNodeMemcpy,
      [&](Device& device, NodeWork& work) { return make_work(device, parameters, work); });
}

Error hipGraphExecMemcpyNodeSetParams1D(GraphExec executable, GraphNode node, void* to,
                                        const void* from, std::size_t size_bytes, MemcpyKind kind) {
  return set_executable_node(executable, node, kGraphNodeMemcpy,
                             [&](Device& device, NodeWork& work) {
                               return make_copy_work(device, to, from, size_bytes, kind, work);
                             });
}

Error hipGraphExecMemsetNodeSetParams(GraphExec executable, GraphNode node,
                                      const MemsetParams* parameters) {
  return set_executable_node(
      executable, node, kGraphNodeMemset,
      [&](Device& device, NodeWork& work) { return make_work(device, parameters, work); });
}

Error hipGraphExecHostNodeSetParams(GraphExec executable, GraphNode node,
                                    const HostNodeParams* parameters) {
  return set_executable_node(executable, node, kGraphNodeHost, [&](Device& device, NodeWork& work) {
    return make_work(device, parameters, work);
  });
}

Error hipGraphExecEventRecordNodeSetEvent(GraphExec executable, GraphNode node, Event event) {
  return set_executable_node(executable, node, kGraphNodeEventRecord,
                             [&](Device& device, NodeWork& work) {
                               return make_event_work<EventRecord>(device, event, work);
                             });
}

Error hipGraphExecEventWaitNodeSetEvent(GraphExec executable, GraphNode node, Event event) {
  return set_executable_node(executable, node, kGraphNodeWaitEvent,
                             [&](Device& device, NodeWork& work) {
                               return make_event_work<EventWait>(device, event, work);
                             });
}

// A child of another shape is no update; HIP has no better error for it.
Error hipGraphExecChildGraphNodeSetParams(GraphExec executable, GraphNode node, Graph child) {
  return with_device([&](Device& device) {
    Graphs& graphs = device.platform.graphs;
    const auto* const graph = graphs.executables.find(executable);
    const GraphTemplate* const update = graphs.find(child);
    Node** const original = graphs.nodes.find(node);
    if (graph == nullptr || update == nullptr || original == nullptr) return kErrorInvalidValue;
    ExecutableNode* const found = (*graph)->find(node);
    if (found == nullptr || !std::holds_alternative<ChildGraph>(found->work)) {
      return kErrorInvalidValue;
    }
    if (update == (*original)->graph) return kErrorUnknown;
    std::optional<std::vector<ExecutableNode>> nodes = executable_nodes(*update);
    if (!nodes || check_update(found->child, *nodes).result != kGraphExecUpdateSuccess) {
      return kErrorUnknown;
    }
    apply_update(found->child, *std::move(nodes));
    return kSuccess;
  });
}

Error hipGraphNodeSetEnabled(GraphExec executable, GraphNode node, unsigned enabled) {
  return with_switch(executable, node, [&](ExecutableNode& found) {
    found.enabled = enabled != 0;
    return kSuccess;
  });
}

Error hipGraphNodeGetEnabled(GraphExec executable, GraphNode node, unsigned* enabled) {
  return with_switch(executable, node, [&](const ExecutableNode& found) {
    if (enabled == nullptr) return kErrorInvalidValue;
    *enabled = found.enabled ? 1 : 0;
    return kSuccess;
  });
}

}  // namespace compass::hip
