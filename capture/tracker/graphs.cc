// SPDX-License-Identifier: MIT
#include "capture/tracker/graphs.h"

#include <variant>

namespace compass::capture {
namespace {

/// The type of node that it becomes; none where it becomes no node, but a dependency.
std::optional<hip::GraphNodeType> type_of(const journal::Body& body) {
  if (std::holds_alternative<journal::Launch>(body)) return hip::kGraphNodeKernel;
  if (std::holds_alternative<journal::SameLaunch>(body)) return hip::kGraphNodeKernel;
  if (std::holds_alternative<journal::Copy>(body)) return hip::kGraphNodeMemcpy;
  if (std::holds_alternative<journal::Fill>(body)) return hip::kGraphNodeMemset;
  if (std::holds_alternative<journal::HostFunction>(body)) return hip::kGraphNodeHost;
  if (std::holds_alternative<journal::LaunchGraph>(body)) return hip::kGraphNodeGraph;
  if (std::holds_alternative<journal::Allocate>(body)) return hip::kGraphNodeMemAlloc;
  if (std::holds_alternative<journal::Free>(body)) return hip::kGraphNodeMemFree;
  return std::nullopt;
}

}  // namespace

void Graphs::add_captured(std::uint64_t capture, std::uint64_t entry, const journal::Body& body) {
  if (const auto type = type_of(body)) captures_[capture].push_back({entry, *type});
}

void Graphs::end_capture(std::uint64_t capture, std::uint64_t graph, std::span<const Node> nodes) {
  const std::vector<Captured> captured = std::move(captures_[capture]);
  captures_.erase(capture);
  if (captured.size() != nodes.size()) return;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (nodes[i].type != captured[i].type) return;
  }
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    // A launch of a graph became a copy of it, whose nodes the runtime tells.
    if (captured[i].type == hip::kGraphNodeGraph) continue;
    known_[nodes[i].handle] = {captured[i].entry, true};
    nodes_of_[graph].push_back(nodes[i].handle);
  }
}

std::uint64_t Graphs::lasting_entry(std::uint64_t node) const {
  const auto found = known_.find(node);
  return found == known_.end() || !found->second.lasts ? 0 : found->second.entry;
}

void Graphs::set_entry(std::uint64_t node, std::uint64_t entry, bool lasts) {
  known_[node] = {entry, lasts};
}

std::uint64_t Graphs::entry_of(std::uint64_t node) const {
  const auto found = known_.find(node);
  return found == known_.end() ? 0 : found->second.entry;
}

void Graphs::forget_graph(std::uint64_t graph) {
  const auto found = nodes_of_.find(graph);
  if (found == nodes_of_.end()) return;
  for (const std::uint64_t node : found->second) known_.erase(node);
  nodes_of_.erase(found);
}

void Graphs::clear() {
  captures_.clear();
  known_.clear();
  nodes_of_.clear();
}

}  // namespace compass::capture
