// SPDX-License-Identifier: MIT
#include "driverless/runtime/graph_launch.h"

#include <utility>

#include "driverless/runtime/live_tag.h"

namespace compass {
namespace {

/// Gives one queue what the nodes of a graph do.
class LaunchedNodes {
 public:
  LaunchedNodes(Platform& platform, std::shared_ptr<Queue> queue)
      : platform_(platform), queue_(std::move(queue)), entry_(current_tag().entry) {}

  /// Whether all that the nodes name still exists.
  hip::Error check(const std::vector<ExecutableNode>& nodes) const {
    for (const ExecutableNode& node : nodes) {
      const auto* const record = std::get_if<EventRecord>(&node.work);
      const auto* const wait = std::get_if<EventWait>(&node.work);
      if (record != nullptr && platform_.events.find(record->event) == nullptr) {
        return hip::kErrorInvalidHandle;
      }
      if (wait != nullptr && platform_.events.find(wait->event) == nullptr) {
        return hip::kErrorInvalidHandle;
      }
      if (const hip::Error error = check(node.child); error != hip::kSuccess) return error;
    }
    return hip::kSuccess;
  }

  void enqueue(const std::vector<ExecutableNode>& nodes) {
    for (const ExecutableNode& node : nodes) {
      if (!node.enabled) continue;
      entry_of_node_ = node.entry;
      std::visit(*this, node.work);
      enqueue(node.child);
    }
  }

  void operator()(const Operation& operation) const {
    platform_.scheduler.enqueue(queue_, operation, {.entry = entry_, .node = entry_of_node_});
  }
  void operator()(const ChildGraph&) const {}
  void operator()(const EventRecord& record) const {
    platform_.events.find(record.event)->record(platform_.scheduler.mark(queue_));
  }
  void operator()(const EventWait& wait) const {
    platform_.scheduler.wait_on_queue(queue_, platform_.events.find(wait.event)->point);
  }

 private:
  Platform& platform_;
  std::shared_ptr<Queue> queue_;
  std::uint64_t entry_;
  std::uint64_t entry_of_node_ = 0;
};

/// A template of what `nodes` do, for a launch that is captured.
std::shared_ptr<GraphTemplate> template_of(const std::vector<ExecutableNode>& nodes, Graphs& graphs,
                                           int device_ordinal) {
  std::shared_ptr<GraphTemplate> made = graphs.make_template(device_ordinal);
  for (const ExecutableNode& node : nodes) {
    NodeWork work = node.enabled ? node.work : MarkOperation{};
    if (std::holds_alternative<ChildGraph>(work)) {
      work = ChildGraph{template_of(node.child, graphs, device_ordinal)};
    }
    std::vector<hip::GraphNode> dependencies;
    for (const std::size_t place : node.dependencies) {
      dependencies.push_back(made->nodes()[place]->handle);
    }
    made->add(std::move(work), dependencies, node.entry);
  }
  return made;
}

}  // namespace

hip::Error launch(Device& device, hip::Stream stream, ExecutableGraph& graph) {
  Platform& platform = device.platform;
  const std::shared_ptr<Queue> queue = find_queue(device, stream);
  if (queue == nullptr) return hip::kErrorContextIsDestroyed;
  if (queue->capture != nullptr) {
    ChildGraph child{template_of(graph.nodes, platform.graphs, graph.device_ordinal)};
    return queue->capture->add(*queue, std::move(child), current_tag().entry);
  }
  if (const hip::Error error = platform.captures.check_work(*queue); error != hip::kSuccess) {
    return error;
  }
  LaunchedNodes launched(platform, queue);
  if (const hip::Error error = launched.check(graph.nodes); error != hip::kSuccess) return error;
  if (graph.last_queue.lock() != queue) {
    platform.scheduler.wait_on_queue(queue, graph.last_launch);
  }
  launched.enqueue(graph.nodes);
  graph.last_queue = queue;
  graph.last_launch = platform.scheduler.mark(queue);
  return hip::kSuccess;
}

}  // namespace compass
