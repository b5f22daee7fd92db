// SPDX-License-Identifier: MIT
#include "capture/hooks/graph_nodes.h"
#include "capture/hooks/observe.h"
#include "capture/hooks/symbols.h"

/// Nodes of executable graphs that are given other work.
namespace compass::capture {
namespace {

/// `appends(recorder)` appends what the node does from now on, if the runtime agrees.
template <auto Hook, class Append, class... Arguments>
int observe_set(hip::GraphExec executable, hip::GraphNode node, Append appends,
                Arguments... arguments) {
  return observe_around<Hook>(
      appends,
      [=](Recorder& recorder, int result, std::uint64_t entry) {
        if (result != hip::kSuccess) return recorder.note_failure(entry, result);
        recorder.append(journal::SetNode{number_of(executable), number_of(node), entry});
      },
      executable, node, arguments...);
}

/// The same for what HIP has a structure of.
template <auto Hook, class Parameters, class... Arguments>
int observe_structure(hip::GraphExec executable, hip::GraphNode node, Parameters* parameters,
                      Arguments... arguments) {
  return observe_set<Hook>(
      executable, node,
      [=](Recorder& recorder) {
        return parameters == nullptr ? std::uint64_t{0} : append_node(recorder, *parameters);
      },
      parameters, arguments...);
}

/// Where the symbol's bytes are, `offset_bytes` into it; null where the runtime does not say.
template <auto Hook>
std::byte* in_symbol(Recorder& recorder, const void* symbol, std::size_t offset_bytes) {
  auto* const real = reinterpret_cast<void*>(real_call<Hook>());
  auto* const start = static_cast<std::byte*>(place_of_symbol(recorder, real, symbol));
  return start == nullptr ? nullptr : start + offset_bytes;
}

}  // namespace
}  // namespace compass::capture

using namespace compass::capture;  // NOLINT: the hooks are HIP's names, in no namespace
using namespace compass::hip;      // NOLINT: their parameters' types

int hipGraphExecKernelNodeSetParams(GraphExec executable, GraphNode node,
                                    const KernelNodeParams* parameters) {
  return observe_structure<&::hipGraphExecKernelNodeSetParams>(executable, node, parameters);
}

int hipGraphExecMemcpyNodeSetParams(GraphExec executable, GraphNode node,
                                    Memcpy3DParms* parameters) {
  return observe_structure<&::hipGraphExecMemcpyNodeSetParams>(executable, node, parameters);
}

int hipGraphExecMemcpyNodeSetParams1D(GraphExec executable, GraphNode node, void* to,
                                      const void* from, std::size_t size_bytes, unsigned kind) {
  return observe_set<&::hipGraphExecMemcpyNodeSetParams1D>(
      executable, node,
      [=](Recorder& recorder) { return append_copy_node(recorder, to, from, size_bytes, kind); },
      to, from, size_bytes, kind);
}

int hipGraphExecMemcpyNodeSetParamsToSymbol(GraphExec executable, GraphNode node,
                                            const void* symbol, const void* from,
                                            std::size_t size_bytes, std::size_t offset_bytes,
                                            unsigned kind) {
  return observe_set<&::hipGraphExecMemcpyNodeSetParamsToSymbol>(
      executable, node,
      [=](Recorder& recorder) {
        return append_copy_node(
            recorder,
            in_symbol<&::hipGraphExecMemcpyNodeSetParamsToSymbol>(recorder, symbol, offset_bytes),
            from, size_bytes, kind);
      },
      symbol, from, size_bytes, offset_bytes, kind);
}

int hipGraphExecMemcpyNodeSetParamsFromSymbol(GraphExec executable, GraphNode node, void* to,
                                              const void* symbol, std::size_t size_bytes,
                                              std::size_t offset_bytes, unsigned kind) {
  return observe_set<&::hipGraphExecMemcpyNodeSetParamsFromSymbol>(
      executable, node,
      [=](Recorder& recorder) {
        return append_copy_node(
            recorder, to,
            in_symbol<&::hipGraphExecMemcpyNodeSetParamsFromSymbol>(recorder, symbol, offset_bytes),
            size_bytes, kind);
      },
      to, symbol, size_bytes, offset_bytes, kind);
}

int hipDrvGraphExecMemcpyNodeSetParams(GraphExec executable, GraphNode node,
                                       const DriverMemcpy3D* parameters, Context context) {
  return observe_structure<&::hipDrvGraphExecMemcpyNodeSetParams>(executable, node, parameters,
                                                                  context);
}

int hipGraphExecMemsetNodeSetParams(GraphExec executable, GraphNode node,
                                    const MemsetParams* parameters) {
  return observe_structure<&::hipGraphExecMemsetNodeSetParams>(executable, node, parameters);
}

int hipDrvGraphExecMemsetNodeSetParams(GraphExec executable, GraphNode node,
                                       const MemsetParams* parameters, Context context) {
  return observe_structure<&::hipDrvGraphExecMemsetNodeSetParams>(executable, node, parameters,
                                                                  context);
}

int hipGraphExecHostNodeSetParams(GraphExec executable, GraphNode node,
                                  const HostNodeParams* parameters) {
  return observe_set<&::hipGraphExecHostNodeSetParams>(executable, node, &append_host_node,
                                                       parameters);
}

int hipGraphExecEventRecordNodeSetEvent(GraphExec executable, GraphNode node, Event event) {
  return observe_set<&::hipGraphExecEventRecordNodeSetEvent>(
      executable, node,
      [=](Recorder& recorder) { return append_event_record_node(recorder, event); }, event);
}

int hipGraphExecEventWaitNodeSetEvent(GraphExec executable, GraphNode node, Event event) {
  return observe_set<&::hipGraphExecEventWaitNodeSetEvent>(
      executable, node, [=](Recorder& recorder) { return append_event_wait_node(recorder, event); },
      event);
}

int hipGraphExecChildGraphNodeSetParams(GraphExec executable, GraphNode node, Graph child) {
  return observe_set<&::hipGraphExecChildGraphNodeSetParams>(
      executable, node, [=](Recorder& recorder) { return append_child_node(recorder, child); },
      child);
}

int hipGraphExecNodeSetParams(GraphExec executable, GraphNode node, GraphNodeParams* parameters) {
  return observe_structure<&::hipGraphExecNodeSetParams>(executable, node, parameters);
}
