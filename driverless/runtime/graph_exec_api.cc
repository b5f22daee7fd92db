// SPDX-License-Identifier: MIT
#include <memory>
#include <utility>

#include "driverless/runtime/api.h"
#include "driverless/runtime/graph_launch.h"
#include "driverless/runtime/runtime.h"

namespace compass::hip {
namespace {

// Launches on the device need code that this runtime does not run.
constexpr unsigned long long kInstantiateFlags =
    kGraphInstantiateAutoFreeOnLaunch | kGraphInstantiateUpload | kGraphInstantiateUseNodePriority;

Error instantiate(GraphExec* executable, Graph graph, unsigned long long flags) {
  return with_device([&](Device& device) {
    Graphs& graphs = device.platform.graphs;
    const GraphTemplate* const found = graphs.find(graph);
    if (executable == nullptr || found == nullptr || (flags & ~kInstantiateFlags) != 0) {
      return kErrorInvalidValue;
    }
    std::shared_ptr<ExecutableGraph> made = ExecutableGraph::make(*found, flags);
    if (made == nullptr) return kErrorInvalidValue;
    *executable = graphs.executables.add(std::move(made));
    return kSuccess;
  });
}

}  // namespace

Error hipGraphInstantiate(GraphExec* executable, Graph graph, GraphNode* error_node,
                          char* log_buffer, std::size_t log_bytes) {
  if (error_node != nullptr) *error_node = nullptr;
  if (log_buffer != nullptr && log_bytes > 0) *log_buffer = '\0';
  return instantiate(executable, graph, 0);
}

Error hipGraphInstantiateWithFlags(GraphExec* executable, Graph graph, unsigned long long flags) {
  return instantiate(executable, graph, flags);
}

// What it has launched runs all the same.
Error hipGraphExecDestroy(GraphExec executable) {
  return with_device([&](Device& device) {
    return device.platform.graphs.executables.remove(executable) ? kSuccess : kErrorInvalidValue;
  });
}

Error hipGraphLaunch(GraphExec executable, Stream stream) {
  return with_device([&](Device& device) {
    const auto* const found = device.platform.graphs.executables.find(executable);
    return found == nullptr ? kErrorInvalidValue : launch(device, stream, **found);
  });
}

// An executable graph is where it runs from the start.
Error hipGraphUpload(GraphExec executable, Stream stream) {
  return with_device([&](Device& device) {
    if (device.platform.graphs.executables.find(executable) == nullptr) return kErrorInvalidValue;
    return find_queue(device, stream) == nullptr ? kErrorInvalidHandle : kSuccess;
  });
}

}  // namespace compass::hip
