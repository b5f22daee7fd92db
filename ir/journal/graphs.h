// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace compass::journal {

/// Graphs and stream capture. What a node does is said by an entry of its own, which is `captured`:
/// the call that the stream was given while it was captured, or, for a node of another origin, what
/// the runtime said of it when the graph was instantiated.

struct GraphNode {
  std::uint64_t handle = 0;          ///< hipGraphNode_t, by which SetNode and EnableNode name it
  std::uint64_t entry = 0;           ///< what it does
  std::vector<std::uint32_t> after;  ///< places in the list, anywhere
  friend bool operator==(const GraphNode&, const GraphNode&) = default;
};

/// The places of the nodes, each behind those that it comes after, else as they stand. Edges that
/// lead nowhere, or form a cycle, do not count: a runtime makes none.
std::vector<std::size_t> sorted_places(const std::vector<GraphNode>& nodes);

struct BeginCapture {
  std::uint64_t stream = 0;
  std::uint32_t mode = 0;  ///< hipStreamCaptureMode
};
struct EndCapture {
  std::uint64_t stream = 0;
  std::uint64_t graph = 0;  ///< 0: it failed
};
struct DestroyGraph {
  std::uint64_t graph = 0;
};
struct InstantiateGraph {
  std::uint64_t executable = 0;
  std::uint64_t graph = 0;
  std::vector<GraphNode> nodes;
};
struct UpdateExecutable {
  std::uint64_t executable = 0;
  std::vector<GraphNode> nodes;
};
struct SetNode {
  std::uint64_t executable = 0;
  std::uint64_t node = 0;   ///< its handle
  std::uint64_t entry = 0;  ///< what it does from now on
};
struct EnableNode {
  std::uint64_t executable = 0;
  std::uint64_t node = 0;  ///< its handle
  bool enabled = true;
};
struct LaunchGraph {  ///< written before the runtime is asked
  std::uint64_t executable = 0;
  std::uint64_t stream = 0;
};
struct DestroyExecutable {  ///< written before the runtime is asked
  std::uint64_t executable = 0;
};
struct ChildGraph {
  std::vector<GraphNode> nodes;
};
struct EmptyNode {};
struct HostFunction {
  std::uint64_t stream = 0;
};

}  // namespace compass::journal
