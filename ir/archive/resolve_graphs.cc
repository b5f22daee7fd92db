// SPDX-License-Identifier: MIT
// What a resolver makes of captures and graphs.
#include <algorithm>
#include <utility>

#include "ir/archive/resolver.h"

namespace compass::archive {
std::uint64_t Resolver::node_record(std::uint64_t entry) {
  const std::uint64_t known = evidence_.record_of(entry);
  if (known != 0) {
    const Record& record = recording_.records[known - 1];
    if (record.captured && !std::holds_alternative<LaunchGraph>(record.body)) return known;
  }
  causes_.add("a graph has a node of which nothing is known");
  captured_ = true;
  push({}, EmptyNode{});
  captured_ = false;
  return recording_.records.size();
}

std::vector<GraphNode> Resolver::nodes_of(const std::vector<journal::GraphNode>& nodes,
                                          std::vector<std::uint64_t>* handles) {
  const std::vector<std::size_t> order = sorted_places(nodes);
  std::vector<std::uint32_t> place(nodes.size());
  for (std::size_t i = 0; i < order.size(); ++i) place[order[i]] = static_cast<std::uint32_t>(i);
  std::vector<GraphNode> resolved;
  run_by_nodes_ = 0;
  for (const std::size_t from : order) {
    GraphNode& node = resolved.emplace_back();
    node.record = node_record(nodes[from].entry);
    const auto child = run_by_child_.find(node.record);
    run_by_nodes_ += child == run_by_child_.end() ? 1 : child->second;
    for (const std::uint32_t before : nodes[from].after) {
      if (before < nodes.size() && place[before] + 1 < resolved.size()) {
        node.after.push_back(place[before]);
      }
    }
    std::sort(node.after.begin(), node.after.end());
    if (handles != nullptr) handles->push_back(nodes[from].handle);
  }
  if (run_by_nodes_ <= kMostGraphNodes) return resolved;
  causes_.add(concat("a graph that runs ", run_by_nodes_, " nodes was left out"));
  if (handles != nullptr) handles->clear();
  run_by_nodes_ = 0;
  return {};
}

GraphId Resolver::graph(std::uint64_t handle) {
  if (handle == 0) return {};
  GraphId& id = graphs_[handle];
  if (!id) id = {++graph_count_};
  return id;
}

Resolver::Executable* Resolver::executable(std::uint64_t handle) {
  const auto found = executables_.find(handle);
  if (found != executables_.end()) return &found->second;
  causes_.add("an executable graph was used whose instantiation was not recorded");
  return nullptr;
}

void Resolver::on(const journal::BeginCapture& begin) {
  push(stream(begin.stream), BeginCapture{begin.mode});
}

void Resolver::on(const journal::EndCapture& end) {
  graphs_.erase(end.graph);  // the handle may have been another graph's
  push(stream(end.stream), EndCapture{graph(end.graph)});
}

void Resolver::on(const journal::DestroyGraph& destroy) {
  const auto found = graphs_.find(destroy.graph);
  if (found == graphs_.end()) return;
  const GraphId id = found->second;
  graphs_.erase(found);
  push({}, DestroyGraph{id});
}

void Resolver::on(const journal::InstantiateGraph& instantiate) {
  Executable made{{++executable_count_}, {}};
  std::vector<GraphNode> nodes = nodes_of(instantiate.nodes, &made.handles);
  push({}, InstantiateGraph{made.id, graph(instantiate.graph), std::move(nodes)});
  executables_[instantiate.executable] = std::move(made);
}

void Resolver::on(const journal::UpdateExecutable& update) {
  const Executable* const updated = executable(update.executable);
  if (updated == nullptr) return;
  std::vector<GraphNode> nodes = nodes_of(update.nodes, nullptr);
  if (nodes.size() != updated->handles.size()) {
    return causes_.add("an executable graph was updated with another number of nodes");
  }
  push({}, UpdateExecutable{updated->id, std::move(nodes)});
}

void Resolver::on(const journal::SetNode& set) {
  const Executable* const found = executable(set.executable);
  if (found == nullptr) return;
  const auto place = std::find(found->handles.begin(), found->handles.end(), set.node);
  if (place == found->handles.end()) {
    return causes_.add("a node was given other work that is not among its graph's own");
  }
  const auto node = static_cast<std::uint32_t>(place - found->handles.begin());
  const std::uint64_t record = node_record(set.entry);
  push({}, SetNode{found->id, node, record});
}

void Resolver::on(const journal::EnableNode& enable) {
  const Executable* const found = executable(enable.executable);
  if (found == nullptr) return;
  const auto place = std::find(found->handles.begin(), found->handles.end(), enable.node);
  if (place == found->handles.end()) {
    return causes_.add("a node was switched that is not among its graph's own");
  }
  const auto node = static_cast<std::uint32_t>(place - found->handles.begin());
  push({}, EnableNode{found->id, node, enable.enabled});
}

void Resolver::on(const journal::LaunchGraph& launch) {
  ExecutableId id;
  if (const auto found = executables_.find(launch.executable); found != executables_.end()) {
    id = found->second.id;
  } else if (const auto gone = destroyed_.find(launch.executable); gone != destroyed_.end()) {
    id = gone->second;
  } else if (status_ == 0) {
    executable(launch.executable);
  }
  if (!id) return;  // what the runtime refused, and nobody knows, was no graph
  const StreamId on_stream = stream(launch.stream);
  push(on_stream, LaunchGraph{id}, status_);
}

void Resolver::on(const journal::DestroyExecutable& destroy) {
  const auto found = executables_.find(destroy.executable);
  if (found == executables_.end()) return;
  const ExecutableId id = found->second.id;
  if (status_ == 0) {
    destroyed_[destroy.executable] = id;
    executables_.erase(found);
  }
  push({}, DestroyExecutable{id}, status_);
}

void Resolver::on(const journal::ChildGraph& child) {
  const bool captured = std::exchange(captured_, false);
  std::vector<GraphNode> nodes = nodes_of(child.nodes, nullptr);
  captured_ = captured;
  push({}, ChildNode{std::move(nodes)});
  run_by_child_[recording_.records.size()] = run_by_nodes_;
}

void Resolver::on(const journal::EmptyNode&) { push({}, EmptyNode{}); }

void Resolver::on(const journal::HostFunction& function) {
  const StreamId on_stream = stream(function.stream);
  push(on_stream, HostFunction{}, status_);
}

}  // namespace compass::archive
