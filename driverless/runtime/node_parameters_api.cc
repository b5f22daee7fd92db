// SPDX-License-Identifier: MIT
#include <cstring>
#include <variant>

#include "driverless/runtime/api.h"
#include "driverless/runtime/node_calls.h"

namespace compass::hip {
namespace {

template <class Kind, class Parameters>
Error give_parameters(GraphNode node, GraphNodeType type, Parameters* parameters) {
  return with_node(node, type, [&](const Node& found) {
    if (parameters == nullptr) return kErrorInvalidValue;
    *parameters = parameters_of(*operation_in<Kind>(found.work));
    return kSuccess;
  });
}

template <class Work>
Error give_event(GraphNode node, GraphNodeType type, Event* event) {
  return with_node(node, type, [&](const Node& found) {
    if (event == nullptr) return kErrorInvalidValue;
    *event = std::get<Work>(found.work).event;
    return kSuccess;
  });
}

/// Where an attribute is kept, and its size; null for one that HIP does not know.
struct AttributePlace {
  void* place = nullptr;
  std::size_t size_bytes = 0;
};
AttributePlace find(KernelAttributes& attributes, KernelNodeAttribute attribute) {
  switch (attribute) {
    case kKernelNodeAccessPolicyWindow:
      return {&attributes.window, sizeof attributes.window};
    case kKernelNodeCooperative:
      return {&attributes.cooperative, sizeof attributes.cooperative};
    case kKernelNodePriority:
      return {&attributes.priority, sizeof attributes.priority};
  }
  return {};
}

}  // namespace

Error hipGraphKernelNodeGetParams(GraphNode node, KernelNodeParams* parameters) {
  return with_node(node, kGraphNodeKernel, [&](Node& found) {
    if (parameters == nullptr) return kErrorInvalidValue;
    *parameters = parameters_of(*operation_in<KernelOperation>(found.work), found.arguments);
    return kSuccess;
  });
}

Error hipGraphKernelNodeSetParams(GraphNode node, const KernelNodeParams* parameters) {
  return set_node(node, kGraphNodeKernel, [&](Device& device, NodeWork& work) {
    return make_work(device, parameters, work);
  });
}

Error hipGraphMemcpyNodeGetParams(GraphNode node, Memcpy3DParms* parameters) {
  return with_node(node, kGraphNodeMemcpy, [&](const Node& found) {
    if (parameters == nullptr) return kErrorInvalidValue;
    *parameters = found.copy_parameters ? *found.copy_parameters
                                        : parameters_of(*operation_in<CopyOperation>(found.work));
    return kSuccess;
  });
}

Error hipGraphMemcpyNodeSetParams(GraphNode node, const Memcpy3DParms* parameters) {
  const Error error = set_node(node, kGraphNodeMemcpy, [&](Device& device, NodeWork& work) {
    return make_work(device, parameters, work);
  });
  return error == kSuccess ? keep_parameters(node, *parameters) : error;
}

Error hipGraphMemcpyNodeSetParams1D(GraphNode node, void* to, const void* from,
                                    std::size_t size_bytes, MemcpyKind kind) {
  return set_node(node, kGraphNodeMemcpy, [&](Device& device, NodeWork& work) {
    return make_copy_work(device, to, from, size_bytes, kind, work);
  });
}

Error hipGraphMemsetNodeGetParams(GraphNode node, MemsetParams* parameters) {
  return give_parameters<FillOperation>(node, kGraphNodeMemset, parameters);
}

Error hipGraphMemsetNodeSetParams(GraphNode node, const MemsetParams* parameters) {
  return set_node(node, kGraphNodeMemset, [&](Device& device, NodeWork& work) {
    return make_work(device, parameters, work);
  });
}

Error hipGraphHostNodeGetParams(GraphNode node, HostNodeParams* parameters) {
  return give_parameters<HostOperation>(node, kGraphNodeHost, parameters);
}

Error hipGraphHostNodeSetParams(GraphNode node, const HostNodeParams* parameters) {
  return set_node(node, kGraphNodeHost, [&](Device& device, NodeWork& work) {
    return make_work(device, parameters, work);
  });
}

Error hipGraphEventRecordNodeGetEvent(GraphNode node, Event* event) {
  return give_event<EventRecord>(node, kGraphNodeEventRecord, event);
}

Error hipGraphEventRecordNodeSetEvent(GraphNode node, Event event) {
  return set_node(node, kGraphNodeEventRecord, [&](Device& device, NodeWork& work) {
    return make_event_work<EventRecord>(device, event, work);
  });
}

Error hipGraphEventWaitNodeGetEvent(GraphNode node, Event* event) {
  return give_event<EventWait>(node, kGraphNodeWaitEvent, event);
}

Error hipGraphEventWaitNodeSetEvent(GraphNode node, Event event) {
  return set_node(node, kGraphNodeWaitEvent, [&](Device& device, NodeWork& work) {
    return make_event_work<EventWait>(device, event, work);
  });
}

// The node's own: what is changed there, later executable graphs have.
Error hipGraphChildGraphNodeGetGraph(GraphNode node, Graph* graph) {
  return with_node(node, kGraphNodeGraph, [&](const Node& found) {
    if (graph == nullptr) return kErrorInvalidValue;
    *graph = std::get<ChildGraph>(found.work).graph->handle();
    return kSuccess;
  });
}

Error hipGraphKernelNodeGetAttribute(GraphNode node, KernelNodeAttribute attribute, void* value) {
  return with_node(node, kGraphNodeKernel, [&](Node& found) {
    const AttributePlace kept = find(found.attributes, attribute);
    if (kept.place == nullptr || value == nullptr) return kErrorInvalidValue;
    std::memcpy(value, kept.place, kept.size_bytes);
    return kSuccess;
  });
}

Error hipGraphKernelNodeSetAttribute(GraphNode node, KernelNodeAttribute attribute,
                                     const void* value) {
  return with_node(node, kGraphNodeKernel, [&](Node& found) {
    const AttributePlace kept = find(found.attributes, attribute);
    if (kept.place == nullptr || value == nullptr) return kErrorInvalidValue;
    std::memcpy(kept.place, value, kept.size_bytes);
    return kSuccess;
  });
}

Error hipGraphKernelNodeCopyAttributes(GraphNode from, GraphNode to) {
  KernelAttributes attributes;
  const Error error = with_node(from, kGraphNodeKernel, [&](const Node& found) {
    attributes = found.attributes;
    return kSuccess;
  });
  if (error != kSuccess) return error;
  return with_node(to, kGraphNodeKernel, [&](Node& found) {
    found.attributes = attributes;
    return kSuccess;
  });
}

}  // namespace compass::hip
