// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "ir/completed_copy.h"
#include "ir/ids.h"

namespace compass {

// Records of graphs and stream capture. What a graph's launch does is in its nodes: each names the
// record that says what it does, which is `captured`.

/// A node of a graph, in a list that has every node behind those that it comes after.
struct GraphNode {
  std::uint64_t record = 0;          ///< what it does: a captured record
  std::vector<std::uint32_t> after;  ///< places in the list, less than its own
  friend bool operator==(const GraphNode&, const GraphNode&) = default;
};

/// A graph runs no more, with those of its children.
inline constexpr std::uint64_t kMostGraphNodes = 1 << 24;

struct BeginCapture {      ///< of the record's stream
  std::uint32_t mode = 0;  ///< hipStreamCaptureMode
};
struct EndCapture {
  GraphId graph;  ///< 0: it failed
};
struct DestroyGraph {
  GraphId graph;
};
struct InstantiateGraph {
  ExecutableId executable;
  GraphId graph;
  std::vector<GraphNode> nodes;
};
struct UpdateExecutable {  ///< its nodes do from now on what those of another graph do
  ExecutableId executable;
  std::vector<GraphNode> nodes;
};
struct SetNode {
  ExecutableId executable;
  std::uint32_t node = 0;    ///< place in its list
  std::uint64_t record = 0;  ///< what it does from now on
};
struct EnableNode {
  ExecutableId executable;
  std::uint32_t node = 0;  ///< place in its list
  bool enabled = true;     ///< else launches pass it over
};
struct LaunchGraph {
  ExecutableId executable;
  std::vector<NodeCopy> copies = {};  ///< between the host and the device, as far as was seen
};
struct DestroyExecutable {
  ExecutableId executable;
};
/// A node that runs the nodes of another graph.
struct ChildNode {
  std::vector<GraphNode> nodes;
};
struct EmptyNode {};
/// The stream, or the node, calls a function of the program.
struct HostFunction {};

}  // namespace compass
