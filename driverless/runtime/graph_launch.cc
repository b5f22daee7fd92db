// SPDX-License-Identifier: MIT
#include "driverless/runtime/graph_launch.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "driverless/runtime/allocations.h"
#include "driverless/runtime/graph_memory.h"
#include "driverless/runtime/live_tag.h"

namespace compass {
namespace {

/// What the nodes of a graph, and of its children, need to be there.
struct Needs {
  std::vector<hip::Event> events;
  std::vector<std::shared_ptr<GraphAllocation>> allocations;
};

void find_needs(const std::vector<ExecutableNode>& nodes, Needs& needs) {
  for (const ExecutableNode& node : nodes) {
    if (const auto* const record = std::get_if<EventRecord>(&node.work)) {
      needs.events.push_back(record->event);
    } else if (const auto* const wait = std::get_if<EventWait>(&node.work)) {
      needs.events.push_back(wait->event);
    } else if (const auto* const begin = std::get_if<MemoryAllocation>(&node.work)) {
      needs.allocations.push_back(begin->allocation);
    }
    find_needs(node.child, needs);
  }
}

/// Gives one queue what the nodes of a graph do.
class LaunchedNodes {
 public:
  LaunchedNodes(Platform& platform, std::shared_ptr<Queue> queue)
      : platform_(platform), queue_(std::move(queue)), entry_(current_tag().entry) {}

  void enqueue(const std::vector<ExecutableNode>& nodes) {
    for (const ExecutableNode& node : nodes) {
      if (!node.enabled) continue;
      tag_ = node.entry == 0 ? Tag{} : Tag{entry_, node.entry};  // what nobody knows is nobody's
      std::visit(*this, node.work);
      enqueue(node.child);
    }
  }

  /// Keeps the objects until what is enqueued has run.
  void keep(const UserReferences& references) const {
    if (references.empty()) return;
    const auto end = [](void* kept) {
      {
        const std::lock_guard lock(Runtime::get().mutex());
        delete static_cast<UserReferences*>(kept);
      }
      destroy_unreferenced();
    };
    platform_.scheduler.enqueue_more(queue_, HostOperation{end, new UserReferences(references)},
                                     tag_);
  }

  /// The end of the launch itself, which is no node's.
  void end() const { platform_.scheduler.enqueue(queue_, MarkOperation{}, {.entry = entry_}); }

  void operator()(const Operation& operation) const {
    platform_.scheduler.enqueue_more(queue_, operation, tag_);
  }
  void operator()(const ChildGraph&) const {}
  void operator()(const EventRecord& record) const {
    platform_.events.find(record.event)->record(platform_.scheduler.mark(queue_));
  }
  void operator()(const EventWait& wait) const {
    platform_.scheduler.wait_on_queue(queue_, platform_.events.find(wait.event)->point);
  }
  void operator()(const MemoryAllocation& begin) const {
    // Work that is given to streams from now on may use it, so it is there before its turn.
    if (!platform_.scheduler.runs_at_once()) begin.allocation->begin();
    const std::shared_ptr<GraphAllocation> allocation = begin.allocation;
    platform_.scheduler.enqueue_more(
        queue_, AllocateOperation{[allocation] { allocation->begin(); }}, tag_);
  }
  void operator()(const MemoryFree& end) const { free(end.allocation); }

  /// The memory ends in the queue's order. New work may not use it from now on.
  void free(const std::shared_ptr<GraphAllocation>& allocation) const {
    platform_.memory.begin_end(allocation->pointer());
    const auto end = [&platform = platform_, allocation] {
      end_any_allocation(platform, allocation->pointer());
    };
    platform_.scheduler.enqueue_more(queue_, FreeOperation{end}, tag_);
  }

 private:
  Platform& platform_;
  std::shared_ptr<Queue> queue_;
  std::uint64_t entry_;  ///< of the launch
  Tag tag_;              ///< of the node at hand
};

/// Whether the devices have what is not there yet.
bool has_room(const std::vector<std::shared_ptr<GraphAllocation>>& allocations) {
  std::unordered_map<Device*, std::uint64_t> needed_bytes;
  for (const auto& allocation : allocations) {
    if (!allocation->is_mapped()) {
      needed_bytes[&allocation->device()] += allocation->properties().size_bytes;
    }
  }
  return std::all_of(needed_bytes.begin(), needed_bytes.end(), [](const auto& needed) {
    Device& device = *needed.first;
    return graph_pool(device).growth_for(needed.second) <= device.free_bytes();
  });
}

/// Whether the memory of an earlier launch allows another, as it is freed or to be freed by this,
/// and the devices have enough.
hip::Error check_memory(Platform& platform, const ExecutableGraph& graph, const Needs& needs) {
  const bool frees = (graph.flags & hip::kGraphInstantiateAutoFreeOnLaunch) != 0;
  for (const auto& allocation : needs.allocations) {
    if (allocation->is_live() && !frees) return hip::kErrorInvalidValue;
  }
  // What is enqueued may free memory.
  if (!has_room(needs.allocations)) platform.scheduler.run_ready();
  return has_room(needs.allocations) ? hip::kSuccess : hip::kErrorOutOfMemory;
}

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
    made->add(std::move(work), dependencies);
  }
  return made;
}

hip::Error capture(Platform& platform, const Queue& queue, const ExecutableGraph& graph,
                   const Needs& needs) {
  if (!needs.allocations.empty()) return hip::kErrorNotSupported;
  ChildGraph child{template_of(graph.nodes, platform.graphs, graph.device_ordinal)};
  return queue.capture->add(queue, std::move(child));
}

/// Whether the graph can be launched now.
hip::Error check(Platform& platform, const Queue& queue, const ExecutableGraph& graph,
                 const Needs& needs) {
  if (const hip::Error error = platform.captures.check_work(queue); error != hip::kSuccess) {
    return error;
  }
  for (const hip::Event event : needs.events) {
    if (platform.events.find(event) == nullptr) return hip::kErrorInvalidHandle;
  }
  return check_memory(platform, graph, needs);
}

}  // namespace

hip::Error launch(Device& device, hip::Stream stream, ExecutableGraph& graph) {
  Platform& platform = device.platform;
  const std::shared_ptr<Queue> queue = find_queue(device, stream);
  if (queue == nullptr) return hip::kErrorContextIsDestroyed;
  Needs needs;
  find_needs(graph.nodes, needs);
  if (queue->capture != nullptr) return capture(platform, *queue, graph, needs);
  if (const hip::Error error = check(platform, *queue, graph, needs); error != hip::kSuccess) {
    return error;
  }
  if (graph.last_queue.lock() != queue) {
    platform.scheduler.wait_on_queue(queue, graph.last_launch);
  }
  LaunchedNodes launched(platform, queue);
  for (const auto& allocation : needs.allocations) {
    if (allocation->is_live()) launched.free(allocation);
  }
  // What earlier launches or the program free, if that can be now, before it is memory again.
  if (!needs.allocations.empty()) platform.scheduler.run_ready();
  launched.enqueue(graph.nodes);
  launched.keep(graph.user_references);
  launched.end();
  graph.last_queue = queue;
  graph.last_launch = platform.scheduler.mark(queue);
  return hip::kSuccess;
}

}  // namespace compass
