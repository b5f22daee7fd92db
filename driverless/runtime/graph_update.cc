// SPDX-License-Identifier: MIT
#include "driverless/runtime/graph_update.h"

#include <utility>

#include "driverless/runtime/node_work.h"

namespace compass {

bool may_become(const NodeWork& work, const NodeWork& other) {
  const auto* const copy = operation_in<CopyOperation>(work);
  const auto* const other_copy = operation_in<CopyOperation>(other);
  return copy == nullptr || other_copy == nullptr || copy->kind == other_copy->kind;
}

GraphUpdate check_update(const std::vector<ExecutableNode>& nodes,
                         const std::vector<ExecutableNode>& update) {
  if (nodes.size() != update.size()) return {hip::kGraphExecUpdateErrorTopologyChanged, nullptr};
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const hip::GraphNode node = update[i].original;
    if (type_of(nodes[i].work) != type_of(update[i].work)) {
      return {hip::kGraphExecUpdateErrorNodeTypeChanged, node};
    }
    if (nodes[i].dependencies != update[i].dependencies) {
      return {hip::kGraphExecUpdateErrorTopologyChanged, node};
    }
    if (!may_become(nodes[i].work, update[i].work)) {
      return {hip::kGraphExecUpdateErrorParametersChanged, node};
    }
    const GraphUpdate child = check_update(nodes[i].child, update[i].child);
    if (child.result != hip::kGraphExecUpdateSuccess) {
      return {child.result, child.error_node == nullptr ? node : child.error_node};
    }
  }
  return {};
}

void apply_update(std::vector<ExecutableNode>& nodes, std::vector<ExecutableNode>&& update) {
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    nodes[i].work = std::move(update[i].work);
    nodes[i].entry = update[i].entry;
    apply_update(nodes[i].child, std::move(update[i].child));
  }
}

}  // namespace compass
