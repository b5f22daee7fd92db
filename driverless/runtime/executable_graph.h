// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "driverless/runtime/graph_template.h"
#include "driverless/runtime/queue.h"

namespace compass {

/// A node of an executable graph: its own copy of what the template's node did.
struct ExecutableNode {
  hip::GraphNode original = nullptr;      ///< of the template
  NodeWork work;                          ///< of a ChildGraph, `child` is what runs
  std::uint64_t entry = 0;                ///< that says what it does: see Tag
  bool enabled = true;                    ///< else a launch passes it over
  std::vector<std::size_t> dependencies;  ///< places in the same list, ascending
  std::vector<ExecutableNode> child;
};

/// What a launch of `graph` enqueues, in that order. Absent where edges form a cycle.
std::optional<std::vector<ExecutableNode>> executable_nodes(const GraphTemplate& graph);

/// What is launched: hipGraphExec_t. It shares nothing with the template that it was made from, and
/// what it has launched shares nothing with it: each may end before the others.
struct ExecutableGraph {
  std::vector<ExecutableNode> nodes;
  unsigned long long flags = 0;
  int device_ordinal = 0;  ///< of the template
  UserReferences user_references;
  // Launches of one executable graph run one after the other, on whichever queues.
  Point last_launch;
  std::weak_ptr<Queue> last_queue;

  /// The node, maybe of a child, that was made from a template's; null if there is none.
  ExecutableNode* find(hip::GraphNode original);
};

}  // namespace compass
