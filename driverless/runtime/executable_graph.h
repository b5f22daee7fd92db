// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "driverless/runtime/graph_template.h"
#include "driverless/runtime/queue.h"

namespace compass {

/// A node of an executable graph: its own copy of what the template's node did.
struct ExecutableNode {
  hip::GraphNode original = nullptr;  ///< of the template
  NodeWork work;                      ///< of a ChildGraph, `child` is what runs
  std::uint64_t entry = 0;
  std::vector<std::size_t> dependencies;  ///< places in the same list
  std::vector<ExecutableNode> child;
};

/// What is launched: hipGraphExec_t. It shares nothing with the template that it was made from, and
/// what it has launched shares nothing with it: each may end before the others. Threads: one at a
/// time.
class ExecutableGraph {
 public:
  /// Null where edges form a cycle.
  static std::shared_ptr<ExecutableGraph> make(const GraphTemplate& graph,
                                               unsigned long long flags);

  /// In the order in which a launch enqueues them.
  const std::vector<ExecutableNode>& nodes() const { return nodes_; }
  unsigned long long flags() const { return flags_; }

  Point last_launch;  ///< launches of one executable graph run one after the other
  std::weak_ptr<Queue> last_queue;

 private:
  std::vector<ExecutableNode> nodes_;
  unsigned long long flags_ = 0;
};

}  // namespace compass
