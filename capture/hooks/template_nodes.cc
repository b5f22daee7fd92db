// SPDX-License-Identifier: MIT
#include "capture/hooks/observe.h"

/// Nodes of graphs that are given other work: what was known of them holds no longer. The runtime
/// is asked when the graph is instantiated.
namespace compass::capture {
namespace {

template <auto Hook, class... Arguments>
int observe_change(hip::GraphNode node, Arguments... arguments) {
  return observe<Hook>([node](Recorder& recorder) { recorder.forget_node(number_of(node)); }, node,
                       arguments...);
}

}  // namespace
}  // namespace compass::capture

using namespace compass::capture;  // NOLINT: the hooks are HIP's names, in no namespace
using namespace compass::hip;      // NOLINT: their parameters' types

int hipGraphKernelNodeSetParams(GraphNode node, const KernelNodeParams* parameters) {
  return observe_change<&::hipGraphKernelNodeSetParams>(node, parameters);
}

int hipGraphMemcpyNodeSetParams(GraphNode node, const Memcpy3DParms* parameters) {
  return observe_change<&::hipGraphMemcpyNodeSetParams>(node, parameters);
}

int hipGraphMemcpyNodeSetParams1D(GraphNode node, void* to, const void* from,
                                  std::size_t size_bytes, unsigned kind) {
  return observe_change<&::hipGraphMemcpyNodeSetParams1D>(node, to, from, size_bytes, kind);
}

int hipGraphMemcpyNodeSetParamsToSymbol(GraphNode node, const void* symbol, const void* from,
                                        std::size_t size_bytes, std::size_t offset_bytes,
                                        unsigned kind) {
  return observe_change<&::hipGraphMemcpyNodeSetParamsToSymbol>(node, symbol, from, size_bytes,
                                                                offset_bytes, kind);
}

int hipGraphMemcpyNodeSetParamsFromSymbol(GraphNode node, void* to, const void* symbol,
                                          std::size_t size_bytes, std::size_t offset_bytes,
                                          unsigned kind) {
  return observe_change<&::hipGraphMemcpyNodeSetParamsFromSymbol>(node, to, symbol, size_bytes,
                                                                  offset_bytes, kind);
}

int hipDrvGraphMemcpyNodeSetParams(GraphNode node, const DriverMemcpy3D* parameters) {
  return observe_change<&::hipDrvGraphMemcpyNodeSetParams>(node, parameters);
}

int hipGraphMemsetNodeSetParams(GraphNode node, const MemsetParams* parameters) {
  return observe_change<&::hipGraphMemsetNodeSetParams>(node, parameters);
}

int hipGraphHostNodeSetParams(GraphNode node, const HostNodeParams* parameters) {
  return observe_change<&::hipGraphHostNodeSetParams>(node, parameters);
}

int hipGraphEventRecordNodeSetEvent(GraphNode node, Event event) {
  return observe_change<&::hipGraphEventRecordNodeSetEvent>(node, event);
}

int hipGraphEventWaitNodeSetEvent(GraphNode node, Event event) {
  return observe_change<&::hipGraphEventWaitNodeSetEvent>(node, event);
}

int hipGraphNodeSetParams(GraphNode node, GraphNodeParams* parameters) {
  return observe_change<&::hipGraphNodeSetParams>(node, parameters);
}
