// SPDX-License-Identifier: MIT
#include <algorithm>

#include "driverless/runtime/api.h"
#include "driverless/runtime/runtime.h"

namespace compass::hip {
namespace {

/// Gives `nodes` to a caller in HIP's way: it asks for their number, or brings room for `*count` of
/// them, and gets null for what is too many.
Error give(const std::vector<GraphNode>& nodes, GraphNode* room, std::size_t* count) {
  if (room == nullptr) {
    *count = nodes.size();
    return kSuccess;
  }
  const std::size_t given = std::min(*count, nodes.size());
  std::copy_n(nodes.begin(), given, room);
  std::fill(room + given, room + *count, nullptr);
  *count = given;
  return kSuccess;
}

}  // namespace

Error hipGraphCreate(Graph* graph, unsigned flags) {
  return with_device([&](Device& device) {
    if (graph == nullptr || flags != 0) return kErrorInvalidValue;
    std::shared_ptr<GraphTemplate> made = device.platform.graphs.make_template();
    *graph = made->handle();
    device.platform.graphs.owned.insert(std::move(made));
    return kSuccess;
  });
}

// Executable graphs that were made from it, and what they have launched, stay.
Error hipGraphDestroy(Graph graph) {
  return with_device([&](Device& device) {
    if (graph == nullptr) return kErrorInvalidValue;
    GraphTemplate* const found = device.platform.graphs.find(graph);
    if (found == nullptr) return kErrorIllegalState;
    return device.platform.graphs.owned.erase(found->shared_from_this()) == 1 ? kSuccess
                                                                              : kErrorInvalidValue;
  });
}

Error hipGraphGetNodes(Graph graph, GraphNode* nodes, std::size_t* count) {
  return with_device([&](Device& device) {
    const GraphTemplate* const found = device.platform.graphs.find(graph);
    if (found == nullptr || count == nullptr) return kErrorInvalidValue;
    std::vector<GraphNode> handles;
    for (const auto& node : found->nodes()) handles.push_back(node->handle);
    return give(handles, nodes, count);
  });
}

}  // namespace compass::hip
