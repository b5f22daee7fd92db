// SPDX-License-Identifier: MIT
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "driverless/runtime/api.h"
#include "driverless/runtime/graph_launch.h"
#include "driverless/runtime/graph_update.h"
#include "driverless/runtime/runtime.h"

namespace compass::hip {
namespace {

// Launches on the device need code that this runtime does not run.
constexpr unsigned long long kInstantiateFlags =
    kGraphInstantiateAutoFreeOnLaunch | kGraphInstantiateUpload | kGraphInstantiateUseNodePriority;

Error instantiate(Device& device, GraphExec* executable, Graph graph, unsigned long long flags) {
  Graphs& graphs = device.platform.graphs;
  GraphTemplate* const found = graphs.find(graph);
  if (executable == nullptr || found == nullptr || (flags & ~kInstantiateFlags) != 0) {
    return kErrorInvalidValue;
  }
  if (found->has_memory_nodes() && !found->executable.expired()) return kErrorNotSupported;
  std::optional<std::vector<ExecutableNode>> nodes = executable_nodes(*found);
  if (!nodes) return kErrorInvalidValue;
  const std::shared_ptr<ExecutableGraph> made(
      new ExecutableGraph{.nodes = *std::move(nodes),
                          .flags = flags,
                          .device_ordinal = found->device_ordinal(),
                          .user_references = found->user_references,
                          .last_launch = {},
                          .last_queue = {}});
  found->executable = made;
  *executable = graphs.executables.add(made);
  return kSuccess;
}

/// Runs `body` with the executable graph behind `executable`.
template <class Body>
Error with_executable(GraphExec executable, Body body) {
  return with_device([&](Device& device) {
    const auto* const found = device.platform.graphs.executables.find(executable);
    return found == nullptr ? kErrorInvalidValue : body(device, **found);
  });
}

/// What hipGraphExecUpdate finds wrong before it changes anything.
GraphUpdate check(const ExecutableGraph& executable, const GraphTemplate& graph,
                  const std::optional<std::vector<ExecutableNode>>& update) {
  if (!update) return {kGraphExecUpdateErrorTopologyChanged, nullptr};
  if (executable.device_ordinal != graph.device_ordinal()) {
    return {kGraphExecUpdateErrorUnsupportedFunctionChange, nullptr};
  }
  if (graph.has_memory_nodes()) return {kGraphExecUpdateErrorNotSupported, nullptr};
  return check_update(executable.nodes, *update);
}

}  // namespace

Error hipGraphInstantiate(GraphExec* executable, Graph graph, GraphNode* error_node,
                          char* log_buffer, std::size_t log_bytes) {
  if (error_node != nullptr) *error_node = nullptr;
  if (log_buffer != nullptr && log_bytes > 0) *log_buffer = '\0';
  return with_device([&](Device& device) { return instantiate(device, executable, graph, 0); });
}

Error hipGraphInstantiateWithFlags(GraphExec* executable, Graph graph, unsigned long long flags) {
  return with_device([&](Device& device) { return instantiate(device, executable, graph, flags); });
}

Error hipGraphInstantiateWithParams(GraphExec* executable, Graph graph,
                                    GraphInstantiateParams* parameters) {
  return with_device([&](Device& device) {
    if (parameters == nullptr) return kErrorInvalidValue;
    const unsigned long long flags = parameters->flags;
    const bool uploads = (flags & kGraphInstantiateUpload) != 0;
    const bool has_stream = !uploads || find_queue(device, parameters->upload_stream) != nullptr;
    const Error error =
        has_stream ? instantiate(device, executable, graph, flags) : kErrorInvalidHandle;
    parameters->error_node = nullptr;
    parameters->result = error == kSuccess ? kGraphInstantiateSuccess : kGraphInstantiateError;
    return error;
  });
}

// What it has launched runs all the same.
Error hipGraphExecDestroy(GraphExec executable) {
  const Error error = with_device([&](Device& device) {
    return device.platform.graphs.executables.remove(executable) ? kSuccess : kErrorInvalidValue;
  });
  if (error == kSuccess) destroy_unreferenced();
  return error;
}

Error hipGraphLaunch(GraphExec executable, Stream stream) {
  return with_executable(executable, [&](Device& device, ExecutableGraph& graph) {
    return launch(device, stream, graph);
  });
}

// An executable graph is where it runs from the start.
Error hipGraphUpload(GraphExec executable, Stream stream) {
  return with_executable(executable, [&](Device& device, ExecutableGraph&) {
    return find_queue(device, stream) == nullptr ? kErrorInvalidHandle : kSuccess;
  });
}

Error hipGraphExecGetFlags(GraphExec executable, unsigned long long* flags) {
  return with_executable(executable, [&](Device&, ExecutableGraph& graph) {
    if (flags == nullptr) return kErrorInvalidValue;
    *flags = graph.flags;
    return kSuccess;
  });
}

// All of it, or nothing.
Error hipGraphExecUpdate(GraphExec executable, Graph graph, GraphNode* error_node,
                         GraphExecUpdateResult* result) {
  return with_executable(executable, [&](Device& device, ExecutableGraph& updated) {
    const GraphTemplate* const found = device.platform.graphs.find(graph);
    if (found == nullptr || error_node == nullptr || result == nullptr) return kErrorInvalidValue;
    std::optional<std::vector<ExecutableNode>> update = executable_nodes(*found);
    const GraphUpdate checked = check(updated, *found, update);
    *result = checked.result;
    *error_node = checked.error_node;
    if (checked.result != kGraphExecUpdateSuccess) return kErrorGraphExecUpdateFailure;
    apply_update(updated.nodes, *std::move(update));
    return kSuccess;
  });
}

}  // namespace compass::hip
