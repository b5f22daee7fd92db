// SPDX-License-Identifier: MIT
#include <algorithm>
#include <memory>
#include <vector>

#include "driverless/runtime/api.h"
#include "driverless/runtime/graph_dot.h"
#include "driverless/runtime/node_work.h"
#include "driverless/runtime/runtime.h"

namespace compass::hip {
namespace {

/// Runs `body` with the template behind `graph`.
template <class Body>
Error with_graph(Graph graph, Body body) {
  return with_device([&](Device& device) {
    GraphTemplate* const found = device.platform.graphs.find(graph);
    return found == nullptr ? kErrorInvalidValue : body(device, *found);
  });
}

/// Runs `body` with the node behind `node`.
template <class Body>
Error with_node(GraphNode node, Body body) {
  return with_device([&](Device& device) {
    Node** const found = device.platform.graphs.nodes.find(node);
    return found == nullptr ? kErrorInvalidValue : body(device, **found);
  });
}

/// Gives `handles` to a caller in HIP's way: it asks for their number, or brings room for `*count`
/// of them, and gets null for what is too many.
Error give(const std::vector<GraphNode>& handles, GraphNode* room, std::size_t* count) {
  if (count == nullptr) return kErrorInvalidValue;
  if (room == nullptr) {
    *count = handles.size();
    return kSuccess;
  }
  const std::size_t given = std::min(*count, handles.size());
  std::copy_n(handles.begin(), given, room);
  std::fill(room + given, room + *count, nullptr);
  *count = given;
  return kSuccess;
}

std::vector<GraphNode> handles_of(const std::vector<Node*>& nodes) {
  std::vector<GraphNode> handles;
  for (const Node* const node : nodes) handles.push_back(node->handle);
  return handles;
}

/// Calls `change` with the ends of each edge, if all are nodes of `graph`.
template <class Change>
Error change_edges(const GraphTemplate& graph, const GraphNode* from, const GraphNode* to,
                   std::size_t count, Change change) {
  if (count > 0 && (from == nullptr || to == nullptr)) return kErrorInvalidValue;
  for (std::size_t i = 0; i < count; ++i) {
    if (graph.find(from[i]) == nullptr || graph.find(to[i]) == nullptr) return kErrorInvalidValue;
  }
  for (std::size_t i = 0; i < count; ++i) {
    if (!change(*graph.find(from[i]), *graph.find(to[i]))) return kErrorInvalidValue;
  }
  return kSuccess;
}

}  // namespace

Error hipGraphCreate(Graph* graph, unsigned flags) {
  return with_device([&](Device& device) {
    if (graph == nullptr || flags != 0) return kErrorInvalidValue;
    std::shared_ptr<GraphTemplate> made = device.platform.graphs.make_template(device.ordinal);
    *graph = made->handle();
    device.platform.graphs.owned.insert(std::move(made));
    return kSuccess;
  });
}

// Executable graphs that were made from it, and what they have launched, stay.
Error hipGraphDestroy(Graph graph) {
  const Error error = with_device([&](Device& device) {
    if (graph == nullptr) return kErrorInvalidValue;
    GraphTemplate* const found = device.platform.graphs.find(graph);
    if (found == nullptr) return kErrorIllegalState;
    return device.platform.graphs.owned.erase(found->shared_from_this()) == 1 ? kSuccess
                                                                              : kErrorInvalidValue;
  });
  if (error == kSuccess) destroy_unreferenced();
  return error;
}

Error hipGraphClone(Graph* clone, Graph original) {
  return with_graph(original, [&](Device& device, GraphTemplate& found) {
    if (clone == nullptr) return kErrorInvalidValue;
    if (found.has_memory_nodes()) return kErrorNotSupported;
    std::shared_ptr<GraphTemplate> made = found.clone();
    *clone = made->handle();
    device.platform.graphs.owned.insert(std::move(made));
    return kSuccess;
  });
}

Error hipGraphNodeFindInClone(GraphNode* node, GraphNode original, Graph clone) {
  return with_graph(clone, [&](Device& device, GraphTemplate& found) {
    if (node == nullptr || device.platform.graphs.nodes.find(original) == nullptr) {
      return kErrorInvalidValue;
    }
    for (const auto& candidate : found.nodes()) {
      if (candidate->original != original) continue;
      *node = candidate->handle;
      return kSuccess;
    }
    return kErrorInvalidValue;
  });
}

// In the order in which a launch runs them.
Error hipGraphGetNodes(Graph graph, GraphNode* nodes, std::size_t* count) {
  return with_graph(graph, [&](Device&, const GraphTemplate& found) {
    const std::vector<Node*> order = found.in_order();
    if (order.size() != found.nodes().size()) return kErrorInvalidValue;  // a cycle
    return give(handles_of(order), nodes, count);
  });
}

Error hipGraphGetRootNodes(Graph graph, GraphNode* nodes, std::size_t* count) {
  return with_graph(graph, [&](Device&, const GraphTemplate& found) {
    std::vector<GraphNode> roots;
    for (const auto& node : found.nodes()) {
      if (node->dependencies.empty()) roots.push_back(node->handle);
    }
    return give(roots, nodes, count);
  });
}

Error hipGraphGetEdges(Graph graph, GraphNode* from, GraphNode* to, std::size_t* count) {
  return with_graph(graph, [&](Device&, const GraphTemplate& found) {
    if (count == nullptr || (from == nullptr) != (to == nullptr)) return kErrorInvalidValue;
    std::vector<GraphNode> starts;
    std::vector<GraphNode> ends;
    for (const auto& node : found.nodes()) {
      const std::vector<GraphNode> dependents = handles_of(node->dependents);
      starts.insert(starts.end(), dependents.size(), node->handle);
      ends.insert(ends.end(), dependents.begin(), dependents.end());
    }
    std::size_t room = *count;
    const Error error = give(starts, from, &room);
    return error == kSuccess ? give(ends, to, count) : error;
  });
}

Error hipGraphAddDependencies(Graph graph, const GraphNode* from, const GraphNode* to,
                              std::size_t count) {
  return with_graph(graph, [&](Device&, GraphTemplate& found) {
    return change_edges(found, from, to, count, GraphTemplate::add_edge);
  });
}

Error hipGraphRemoveDependencies(Graph graph, const GraphNode* from, const GraphNode* to,
                                 std::size_t count) {
  return with_graph(graph, [&](Device&, GraphTemplate& found) {
    return change_edges(found, from, to, count, GraphTemplate::remove_edge);
  });
}

Error hipGraphNodeGetDependencies(GraphNode node, GraphNode* dependencies, std::size_t* count) {
  return with_node(node, [&](Device&, const Node& found) {
    return give(handles_of(found.dependencies), dependencies, count);
  });
}

Error hipGraphNodeGetDependentNodes(GraphNode node, GraphNode* dependents, std::size_t* count) {
  return with_node(node, [&](Device&, const Node& found) {
    return give(handles_of(found.dependents), dependents, count);
  });
}

Error hipGraphNodeGetType(GraphNode node, GraphNodeType* type) {
  return with_node(node, [&](Device&, const Node& found) {
    if (type == nullptr) return kErrorInvalidValue;
    *type = type_of(found.work);
    return kSuccess;
  });
}

Error hipGraphDestroyNode(GraphNode node) {
  const Error error = with_node(node, [&](Device&, Node& found) {
    const GraphNodeType type = type_of(found.work);
    if (type == kGraphNodeMemAlloc || type == kGraphNodeMemFree) return kErrorNotSupported;
    found.graph->remove(found);
    return kSuccess;
  });
  if (error == kSuccess) destroy_unreferenced();  // of a child graph
  return error;
}

Error hipGraphDebugDotPrint(Graph graph, const char* path, unsigned) {
  return with_graph(graph, [&](Device&, const GraphTemplate& found) {
    if (path == nullptr) return kErrorInvalidValue;
    return write_dot(found, path) ? kSuccess : kErrorOperatingSystem;
  });
}

}  // namespace compass::hip
