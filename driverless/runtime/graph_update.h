// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "driverless/runtime/executable_graph.h"

namespace compass {

/// Whether a node of an executable graph may do that instead: copies keep their kind.
bool may_become(const NodeWork& work, const NodeWork& other);

/// What hipGraphExecUpdate says of an update, and of which node of the new graph.
struct GraphUpdate {
  hip::GraphExecUpdateResult result = hip::kGraphExecUpdateSuccess;
  hip::GraphNode error_node = nullptr;
};

/// Whether nodes may do what the nodes of another graph do, each what is at its place.
GraphUpdate check_update(const std::vector<ExecutableNode>& nodes,
                         const std::vector<ExecutableNode>& update);

/// Does an update that has been checked. The nodes stay those of their own template.
void apply_update(std::vector<ExecutableNode>& nodes, std::vector<ExecutableNode>&& update);

}  // namespace compass
