// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "ir/hip/graph_abi.h"
#include "ir/journal/entry.h"

namespace compass::capture {

/// Which entries of the journal say what the nodes of graphs do. Threads: callers take a lock.
class Graphs {
 public:
  struct Node {
    std::uint64_t handle = 0;
    hip::GraphNodeType type = hip::kGraphNodeEmpty;
  };

  /// A stream of the capture was given what `body` says, in that entry.
  void add_captured(std::uint64_t capture, std::uint64_t entry, const journal::Body& body);
  /// The capture made these nodes of a graph. Where they are not what the streams were given, one
  /// for one, they are not known.
  void end_capture(std::uint64_t capture, std::uint64_t graph, std::span<const Node> nodes);

  /// What the node does, if that needs not be asked again; else 0.
  std::uint64_t lasting_entry(std::uint64_t node) const;
  /// The runtime said what the node does. `lasts`: it never says otherwise.
  void set_entry(std::uint64_t node, std::uint64_t entry, bool lasts);
  /// What the node does, as last said; 0: not known.
  std::uint64_t entry_of(std::uint64_t node) const;

  /// The node does something else from now on, or is gone.
  void forget_node(std::uint64_t node) { known_.erase(node); }
  void forget_graph(std::uint64_t graph);
  void clear();

 private:
  struct Captured {
    std::uint64_t entry = 0;
    hip::GraphNodeType type = hip::kGraphNodeEmpty;
  };
  struct Known {
    std::uint64_t entry = 0;
    bool lasts = false;
  };
  std::unordered_map<std::uint64_t, std::vector<Captured>> captures_;       ///< by their number
  std::unordered_map<std::uint64_t, Known> known_;                          ///< by node
  std::unordered_map<std::uint64_t, std::vector<std::uint64_t>> nodes_of_;  ///< by graph
};

}  // namespace compass::capture
