// SPDX-License-Identifier: MIT
#include "driverless/runtime/node_calls.h"

#include <utility>

#include "driverless/runtime/graph_update.h"
#include "driverless/runtime/live_tag.h"

namespace compass::hip {

Error add_node(GraphNode* node, Graph graph, const GraphNode* dependencies, std::size_t count,
               const MakeWork& make) {
  return with_device([&](Device& device) {
    GraphTemplate* const found = device.platform.graphs.find(graph);
    if (node == nullptr || found == nullptr || (dependencies == nullptr && count > 0)) {
      return kErrorInvalidValue;
    }
    NodeWork work;
    if (const Error error = make(device, work); error != kSuccess) return error;
    const Node* const made = found->add(std::move(work), {dependencies, count});
    if (made == nullptr) return kErrorInvalidValue;
    *node = made->handle;
    return kSuccess;
  });
}

Error set_node(GraphNode node, GraphNodeType type, const MakeWork& make) {
  return with_device([&](Device& device) {
    Node** const found = device.platform.graphs.nodes.find(node);
    if (found == nullptr || type_of((*found)->work) != type) return kErrorInvalidValue;
    NodeWork work;
    const Error error = make(device, work);
    if (error != kSuccess) return error;
    (*found)->work = std::move(work);
    (*found)->copy_parameters.reset();
    (*found)->driver_copy_parameters.reset();
    return kSuccess;
  });
}

Error keep_parameters(GraphNode node, const Memcpy3DParms& parameters) {
  return with_node(node, kGraphNodeMemcpy, [&](Node& found) {
    found.copy_parameters = parameters;
    return kSuccess;
  });
}

Error keep_parameters(GraphNode node, const DriverMemcpy3D& parameters) {
  return with_node(node, kGraphNodeMemcpy, [&](Node& found) {
    found.driver_copy_parameters = parameters;
    return kSuccess;
  });
}

Error set_executable_node(GraphExec executable, GraphNode node, GraphNodeType type,
                          const MakeWork& make) {
  return with_device([&](Device& device) {
    Graphs& graphs = device.platform.graphs;
    const auto* const graph = graphs.executables.find(executable);
    if (graph == nullptr || graphs.nodes.find(node) == nullptr) return kErrorInvalidValue;
    ExecutableNode* const found = (*graph)->find(node);
    if (found == nullptr || type_of(found->work) != type) return kErrorInvalidValue;
    NodeWork work;
    if (const Error error = make(device, work); error != kSuccess) return error;
    if (!may_become(found->work, work)) return kErrorInvalidValue;
    found->work = std::move(work);
    found->entry = current_tag().entry;
    return kSuccess;
  });
}

}  // namespace compass::hip
