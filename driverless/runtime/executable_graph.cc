// SPDX-License-Identifier: MIT
#include "driverless/runtime/executable_graph.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "driverless/runtime/live_tag.h"

namespace compass {
namespace {

ExecutableNode* find_in(std::vector<ExecutableNode>& nodes, hip::GraphNode original) {
  for (ExecutableNode& node : nodes) {
    if (node.original == original) return &node;
    if (ExecutableNode* const found = find_in(node.child, original)) return found;
  }
  return nullptr;
}

}  // namespace

std::optional<std::vector<ExecutableNode>> executable_nodes(const GraphTemplate& graph) {
  const std::vector<Node*> order = graph.in_order();
  if (order.size() != graph.nodes().size()) return std::nullopt;
  std::vector<ExecutableNode> nodes;
  std::unordered_map<const Node*, std::size_t> places;
  for (const Node* const node : order) {
    places[node] = nodes.size();
    ExecutableNode& copy = nodes.emplace_back();
    copy.original = node->handle;
    copy.work = node->work;
    copy.entry = node_entry(node->handle);
    for (const Node* const dependency : node->dependencies) {
      copy.dependencies.push_back(places[dependency]);
    }
    std::sort(copy.dependencies.begin(), copy.dependencies.end());
    if (const auto* const child = std::get_if<ChildGraph>(&node->work)) {
      std::optional<std::vector<ExecutableNode>> within = executable_nodes(*child->graph);
      if (!within) return std::nullopt;
      copy.child = *std::move(within);
      copy.work = ChildGraph{};  // the template's child may change
    }
  }
  return nodes;
}

ExecutableNode* ExecutableGraph::find(hip::GraphNode original) { return find_in(nodes, original); }

}  // namespace compass
