// SPDX-License-Identifier: MIT
#include "driverless/runtime/executable_graph.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

namespace compass {
namespace {

/// Appends to `nodes` what `graph` has, in the order of a launch. False where that has none.
bool append_nodes(const GraphTemplate& graph, std::vector<ExecutableNode>& nodes) {
  const std::vector<Node*> order = graph.in_order();
  if (order.size() != graph.nodes().size()) return false;
  std::unordered_map<const Node*, std::size_t> places;
  for (const Node* const node : order) {
    places[node] = nodes.size();
    ExecutableNode& copy = nodes.emplace_back();
    copy.original = node->handle;
    copy.work = node->work;
    copy.entry = node->entry;
    for (const Node* const dependency : node->dependencies) {
      copy.dependencies.push_back(places[dependency]);
    }
    std::sort(copy.dependencies.begin(), copy.dependencies.end());
    const auto* const child = std::get_if<ChildGraph>(&node->work);
    if (child != nullptr && !append_nodes(*child->graph, copy.child)) return false;
  }
  return true;
}

}  // namespace

std::shared_ptr<ExecutableGraph> ExecutableGraph::make(const GraphTemplate& graph,
                                                       unsigned long long flags) {
  auto executable = std::make_shared<ExecutableGraph>();
  executable->flags_ = flags;
  return append_nodes(graph, executable->nodes_) ? executable : nullptr;
}

}  // namespace compass
