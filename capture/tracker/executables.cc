// SPDX-License-Identifier: MIT
#include "capture/tracker/executables.h"

#include <algorithm>
#include <variant>

namespace compass::capture {
namespace {

/// The entries of the nodes, in an order that equal graphs share.
std::vector<journal::GraphNode> sorted(const std::vector<journal::GraphNode>& nodes) {
  std::vector<journal::GraphNode> result;
  for (const std::size_t place : journal::sorted_places(nodes)) result.push_back(nodes[place]);
  return result;
}

}  // namespace

void Executables::take(std::uint64_t entry, const journal::Body& body) {
  if (const auto* child = std::get_if<journal::ChildGraph>(&body)) {
    children_[entry] = child->nodes;
    return;
  }
  std::visit([this](const auto& what) { on(what); }, body);
}

void Executables::on(const journal::InstantiateGraph& instantiate) {
  Executable& made = executables_[instantiate.executable];
  made = {};
  for (const journal::GraphNode& node : sorted(instantiate.nodes)) {
    made.nodes.push_back({node.handle, node.entry, true});
  }
}

/// Nodes that are switched off stay so.
void Executables::on(const journal::UpdateExecutable& update) {
  const auto found = executables_.find(update.executable);
  if (found == executables_.end()) return;
  found->second.is_flat = false;
  const std::vector<journal::GraphNode> nodes = sorted(update.nodes);
  const std::size_t count = std::min(nodes.size(), found->second.nodes.size());
  for (std::size_t i = 0; i < count; ++i) found->second.nodes[i].entry = nodes[i].entry;
}

Executables::Node* Executables::node(std::uint64_t executable, std::uint64_t handle) {
  const auto found = executables_.find(executable);
  if (found == executables_.end()) return nullptr;
  found->second.is_flat = false;
  for (Node& node : found->second.nodes) {
    if (node.handle == handle) return &node;
  }
  return nullptr;
}

void Executables::on(const journal::SetNode& set) {
  if (Node* const changed = node(set.executable, set.node)) changed->entry = set.entry;
}

void Executables::on(const journal::EnableNode& enable) {
  if (Node* const changed = node(enable.executable, enable.node)) changed->enabled = enable.enabled;
}

const Executables::Executable& Executables::flat(std::uint64_t handle) {
  Executable& executable = executables_[handle];
  if (executable.is_flat) return executable;
  executable.is_flat = true;
  executable.copies.clear();
  executable.reads.clear();
  for (const Node& node : executable.nodes) {
    if (node.enabled) append(node.entry, executable);
  }
  return executable;
}

void Executables::append(std::uint64_t entry, Executable& executable) const {
  std::vector<std::uint64_t> left{entry};  // children may nest deeply
  while (!left.empty()) {
    const std::uint64_t next = left.back();
    left.pop_back();
    if (const auto copy = copies_.find(next); copy != copies_.end()) {
      executable.copies.push_back(copy->second);
    }
    if (const auto reads = reads_.find(next); reads != reads_.end()) {
      for (const std::uint64_t address : reads->second) {
        const auto& known = executable.reads;
        if (std::find(known.begin(), known.end(), address) != known.end()) continue;
        executable.reads.push_back(address);
      }
    }
    const auto child = children_.find(next);
    if (child == children_.end()) continue;
    for (const journal::GraphNode& node : child->second) left.push_back(node.entry);
  }
}

void Executables::clear() {
  copies_.clear();
  reads_.clear();
  children_.clear();
  executables_.clear();
}

}  // namespace compass::capture
