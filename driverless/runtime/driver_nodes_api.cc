// SPDX-License-Identifier: MIT

// The driver's calls about nodes: the same nodes by other structures. The context counts for
// nothing here, but must be given.

#include <utility>

#include "driverless/runtime/abi_major.h"
#include "driverless/runtime/api.h"
#include "driverless/runtime/copies.h"
#include "driverless/runtime/node_calls.h"

namespace compass::hip {
namespace {

/// Before HIP 7 the driver's calls had a structure of their own, with the members in another order.
struct OldMemsetParams {
  void* to;
  std::size_t pitch_bytes;
  unsigned value;
  unsigned element_bytes;
  std::size_t width;
  std::size_t height;
};

MakeWork made_of(const DriverMemcpy3D* parameters) {
  return [parameters](Device& device, NodeWork& work) {
    CopyOperation copy;
    Error error = make_copy(parameters, copy);
    if (error == kSuccess) error = device.platform.memory.check(copy);
    if (error == kSuccess) work = Operation{std::move(copy)};
    return error;
  };
}

MakeWork made_of(const void* fill_parameters) {
  return [fill_parameters](Device& device, NodeWork& work) {
    if (fill_parameters == nullptr) return kErrorInvalidValue;
    if (abi_major() >= 7) {
      return make_work(device, static_cast<const MemsetParams*>(fill_parameters), work);
    }
    const auto& old = *static_cast<const OldMemsetParams*>(fill_parameters);
    const MemsetParams parameters{old.to,          old.element_bytes, old.height,
                                  old.pitch_bytes, old.value,         old.width};
    return make_work(device, &parameters, work);
  };
}

}  // namespace

Error hipDrvGraphAddMemcpyNode(GraphNode* node, Graph graph, const GraphNode* dependencies,
                               std::size_t count, const DriverMemcpy3D* parameters,
                               Context context) {
  if (context == nullptr) return note_error(kErrorInvalidValue);
  const Error error = add_node(node, graph, dependencies, count, made_of(parameters));
  return error == kSuccess ? keep_parameters(*node, *parameters) : error;
}

Error hipDrvGraphMemcpyNodeGetParams(GraphNode node, DriverMemcpy3D* parameters) {
  return with_node(node, kGraphNodeMemcpy, [&](const Node& found) {
    if (parameters == nullptr || !found.driver_copy_parameters) return kErrorInvalidValue;
    *parameters = *found.driver_copy_parameters;
    return kSuccess;
  });
}

Error hipDrvGraphMemcpyNodeSetParams(GraphNode node, const DriverMemcpy3D* parameters) {
  const Error error = set_node(node, kGraphNodeMemcpy, made_of(parameters));
  return error == kSuccess ? keep_parameters(node, *parameters) : error;
}

Error hipDrvGraphExecMemcpyNodeSetParams(GraphExec executable, GraphNode node,
                                         const DriverMemcpy3D* parameters, Context) {
  return set_executable_node(executable, node, kGraphNodeMemcpy, made_of(parameters));
}

Error hipDrvGraphAddMemsetNode(GraphNode* node, Graph graph, const GraphNode* dependencies,
                               std::size_t count, const void* parameters, Context) {
  return add_node(node, graph, dependencies, count, made_of(parameters));
}

Error hipDrvGraphExecMemsetNodeSetParams(GraphExec executable, GraphNode node,
                                         const void* parameters, Context) {
  return set_executable_node(executable, node, kGraphNodeMemset, made_of(parameters));
}

Error hipDrvGraphAddMemFreeNode(GraphNode* node, Graph graph, const GraphNode* dependencies,
                                std::size_t count, void* pointer) {
  return hipGraphAddMemFreeNode(node, graph, dependencies, count, pointer);
}

}  // namespace compass::hip
