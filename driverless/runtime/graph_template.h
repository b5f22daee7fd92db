// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <variant>
#include <vector>

#include "driverless/runtime/handle_registry.h"
#include "driverless/runtime/operation.h"
#include "driverless/runtime/user_object.h"
#include "ir/hip/graph_abi.h"

namespace compass {

class GraphAllocation;
class GraphTemplate;
struct ExecutableGraph;
struct Node;

/// A node that runs another graph.
struct ChildGraph {
  std::shared_ptr<GraphTemplate> graph;  ///< the node's own copy
};

/// A node that records an event, or waits for one that was recorded when the graph is launched.
struct EventRecord {
  hip::Event event = nullptr;
};
struct EventWait {
  hip::Event event = nullptr;
};

/// A node that makes a graph's addresses memory, or ends that.
struct MemoryAllocation {
  std::shared_ptr<GraphAllocation> allocation;
};
struct MemoryFree {
  std::shared_ptr<GraphAllocation> allocation;
};

/// What a node does, with its parameters. An empty node is a MarkOperation.
using NodeWork =
    std::variant<Operation, ChildGraph, EventRecord, EventWait, MemoryAllocation, MemoryFree>;

/// What a program says of a kernel's node besides its parameters. Kept and told, no more: there are
/// no caches here, and a launch has the device to itself.
struct KernelAttributes {
  hip::AccessPolicyWindow window{};
  int cooperative = 0;
  int priority = 0;
};

/// A node of a graph template. Addresses of nodes are stable.
struct Node {
  hip::GraphNode handle = nullptr;
  hip::GraphNode original = nullptr;  ///< of the node that this was cloned from
  GraphTemplate* graph = nullptr;
  NodeWork work;
  KernelAttributes attributes;
  // Of a copy, as the program gave them, if it did so.
  std::optional<hip::Memcpy3DParms> copy_parameters;
  std::optional<hip::DriverMemcpy3D> driver_copy_parameters;
  std::vector<Node*> dependencies;
  std::vector<Node*> dependents;
  std::vector<void*> arguments;  ///< given out by hipGraphKernelNodeGetParams
};

using TemplateRegistry = HandleRegistry<hip::Graph, GraphTemplate*>;
using NodeRegistry = HandleRegistry<hip::GraphNode, Node*>;

/// What a program builds, by hand or by capture, to make executable graphs from: hipGraph_t.
///
/// Its handle, and those of its nodes, are valid as long as it lives. Threads: one at a time.
class GraphTemplate : public std::enable_shared_from_this<GraphTemplate> {
 public:
  /// The registries must outlive this.
  GraphTemplate(TemplateRegistry& templates, NodeRegistry& nodes, int device_ordinal,
                const UserReferences& user_references = {});
  ~GraphTemplate();
  GraphTemplate(const GraphTemplate&) = delete;
  GraphTemplate& operator=(const GraphTemplate&) = delete;

  hip::Graph handle() const { return handle_; }
  /// Of the device that it was made for.
  int device_ordinal() const { return device_ordinal_; }
  /// In the order in which they were made.
  const std::vector<std::unique_ptr<Node>>& nodes() const { return nodes_; }

  /// Null where a dependency is no node of this graph, or is named twice.
  Node* add(NodeWork work, std::span<const hip::GraphNode> dependencies);
  /// The node with that handle, if it is one of this graph.
  Node* find(hip::GraphNode handle) const;
  /// Ends a node of this graph with its edges.
  void remove(Node& node);

  /// False if the edge is there already, or would lead from a node to itself.
  static bool add_edge(Node& from, Node& to);
  /// False if there is none.
  static bool remove_edge(Node& from, Node& to);

  std::shared_ptr<GraphTemplate> clone() const;

  UserReferences user_references;

  /// Whether nodes allocate or free: such a graph has one executable graph at a time, no clones,
  /// and is no child.
  bool has_memory_nodes() const;
  std::weak_ptr<ExecutableGraph> executable;  ///< the last that was made from it

  /// All nodes, each after those that it depends on; of those that may come next, the one made
  /// first. Fewer than all where edges form a cycle: those before it.
  std::vector<Node*> in_order() const;

 private:
  Node& add_copy(const Node& node);

  TemplateRegistry& templates_;
  NodeRegistry& registry_;
  hip::Graph handle_;
  int device_ordinal_;
  std::vector<std::unique_ptr<Node>> nodes_;
};

}  // namespace compass
