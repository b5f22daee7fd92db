// SPDX-License-Identifier: MIT

// The calls that take a node of any type: each is the call for that type.

#include "driverless/runtime/api.h"
#include "driverless/runtime/node_calls.h"

namespace compass::hip {

Error hipGraphAddNode(GraphNode* node, Graph graph, const GraphNode* dependencies,
                      std::size_t count, GraphNodeParams* parameters) {
  if (parameters == nullptr) return note_error(kErrorInvalidValue);
  switch (parameters->type) {
    case kGraphNodeKernel:
      return hipGraphAddKernelNode(node, graph, dependencies, count, &parameters->kernel);
    case kGraphNodeMemcpy:
      return hipGraphAddMemcpyNode(node, graph, dependencies, count, &parameters->copy.parameters);
    case kGraphNodeMemset:
      return hipGraphAddMemsetNode(node, graph, dependencies, count, &parameters->fill);
    case kGraphNodeHost:
      return hipGraphAddHostNode(node, graph, dependencies, count, &parameters->host);
    case kGraphNodeGraph:
      return hipGraphAddChildGraphNode(node, graph, dependencies, count, parameters->child);
    case kGraphNodeEmpty:
      return hipGraphAddEmptyNode(node, graph, dependencies, count);
    case kGraphNodeWaitEvent:
      return hipGraphAddEventWaitNode(node, graph, dependencies, count, parameters->event);
    case kGraphNodeEventRecord:
      return hipGraphAddEventRecordNode(node, graph, dependencies, count, parameters->event);
    case kGraphNodeMemAlloc:
      return hipGraphAddMemAllocNode(node, graph, dependencies, count, &parameters->allocation);
    case kGraphNodeMemFree:
      return hipGraphAddMemFreeNode(node, graph, dependencies, count, parameters->freed);
    default:
      return note_error(kErrorInvalidValue);
  }
}

Error hipGraphNodeSetParams(GraphNode node, GraphNodeParams* parameters) {
  if (parameters == nullptr) return note_error(kErrorInvalidValue);
  switch (parameters->type) {
    case kGraphNodeKernel:
      return hipGraphKernelNodeSetParams(node, &parameters->kernel);
    case kGraphNodeMemcpy:
      return hipGraphMemcpyNodeSetParams(node, &parameters->copy.parameters);
    case kGraphNodeMemset:
      return hipGraphMemsetNodeSetParams(node, &parameters->fill);
    case kGraphNodeHost:
      return hipGraphHostNodeSetParams(node, &parameters->host);
    case kGraphNodeGraph:
      return set_node(node, kGraphNodeGraph, [&](Device& device, NodeWork& work) {
        return make_child_work(device, parameters->child, work);
      });
    case kGraphNodeWaitEvent:
      return hipGraphEventWaitNodeSetEvent(node, parameters->event);
    case kGraphNodeEventRecord:
      return hipGraphEventRecordNodeSetEvent(node, parameters->event);
    case kGraphNodeMemAlloc:
    case kGraphNodeMemFree:
      return note_error(kErrorNotSupported);
    default:
      return note_error(kErrorInvalidValue);
  }
}

Error hipGraphExecNodeSetParams(GraphExec executable, GraphNode node, GraphNodeParams* parameters) {
  if (parameters == nullptr) return note_error(kErrorInvalidValue);
  switch (parameters->type) {
    case kGraphNodeKernel:
      return hipGraphExecKernelNodeSetParams(executable, node, &parameters->kernel);
    case kGraphNodeMemcpy:
      return hipGraphExecMemcpyNodeSetParams(executable, node, &parameters->copy.parameters);
    case kGraphNodeMemset:
      return hipGraphExecMemsetNodeSetParams(executable, node, &parameters->fill);
    case kGraphNodeHost:
      return hipGraphExecHostNodeSetParams(executable, node, &parameters->host);
    case kGraphNodeGraph:
      return hipGraphExecChildGraphNodeSetParams(executable, node, parameters->child);
    case kGraphNodeWaitEvent:
      return hipGraphExecEventWaitNodeSetEvent(executable, node, parameters->event);
    case kGraphNodeEventRecord:
      return hipGraphExecEventRecordNodeSetEvent(executable, node, parameters->event);
    case kGraphNodeMemAlloc:
    case kGraphNodeMemFree:
      return note_error(kErrorNotSupported);
    default:
      return note_error(kErrorInvalidValue);
  }
}

}  // namespace compass::hip
