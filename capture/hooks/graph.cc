// SPDX-License-Identifier: MIT
#include "capture/hooks/graph_nodes.h"
#include "capture/hooks/observe.h"

/// Graphs as a whole. What an instantiated graph runs is asked of the runtime, however the graph
/// was made.
namespace compass::capture {
namespace {

/// The nodes of a graph about to be instantiated. Its own entry is written once its handle is
/// known.
struct ReadGraph {
  std::uint64_t entry = 0;
  std::optional<std::vector<journal::GraphNode>> nodes;
};

std::vector<journal::GraphNode> take_nodes(Recorder& recorder, ReadGraph& read) {
  if (read.nodes) return *std::move(read.nodes);
  recorder.lose("the runtime does not say which nodes a graph has");
  return {};
}

auto reads(hip::Graph graph) {
  return [graph](Recorder& recorder) { return ReadGraph{0, read_nodes(recorder, graph)}; };
}

auto instantiates(hip::GraphExec* executable, hip::Graph graph) {
  return [=](Recorder& recorder, int result, ReadGraph& read) {
    if (result != hip::kSuccess) return;
    recorder.append(journal::InstantiateGraph{number_of(*executable), number_of(graph),
                                              take_nodes(recorder, read)});
  };
}

auto launches(hip::GraphExec executable, hip::Stream stream) {
  return [=](Recorder& recorder) {
    call_number = recorder.next_call();
    return recorder.append_graph_launch({number_of(executable), number_of(stream)}, call_number);
  };
}

}  // namespace
}  // namespace compass::capture

using namespace compass::capture;  // NOLINT: the hooks are HIP's names, in no namespace
using compass::hip::Graph;
using compass::hip::GraphExec;
using compass::hip::GraphExecUpdateResult;
using compass::hip::GraphInstantiateParams;
using compass::hip::GraphNode;
using compass::hip::Stream;

int hipGraphDestroy(Graph graph) {
  return observe_request<&::hipGraphDestroy>(
      [graph](Recorder& recorder) {
        recorder.forget_graph(number_of(graph));
        return recorder.append(compass::journal::DestroyGraph{number_of(graph)});
      },
      graph);
}

int hipGraphDestroyNode(GraphNode node) {
  return observe_request<&::hipGraphDestroyNode>(
      [node](Recorder& recorder) {
        recorder.forget_node(number_of(node));
        return std::uint64_t{0};
      },
      node);
}

int hipGraphInstantiate(GraphExec* executable, Graph graph, GraphNode* error_node, char* log_buffer,
                        std::size_t log_bytes) {
  return observe_around<&::hipGraphInstantiate>(reads(graph), instantiates(executable, graph),
                                                executable, graph, error_node, log_buffer,
                                                log_bytes);
}

int hipGraphInstantiateWithFlags(GraphExec* executable, Graph graph, unsigned long long flags) {
  return observe_around<&::hipGraphInstantiateWithFlags>(
      reads(graph), instantiates(executable, graph), executable, graph, flags);
}

int hipGraphInstantiateWithParams(GraphExec* executable, Graph graph,
                                  GraphInstantiateParams* parameters) {
  return observe_around<&::hipGraphInstantiateWithParams>(
      reads(graph), instantiates(executable, graph), executable, graph, parameters);
}

int hipGraphExecUpdate(GraphExec executable, Graph graph, GraphNode* error_node,
                       GraphExecUpdateResult* result) {
  return observe_around<&::hipGraphExecUpdate>(
      reads(graph),
      [executable](Recorder& recorder, int error, ReadGraph& read) {
        if (error != compass::hip::kSuccess) return;
        recorder.append(
            compass::journal::UpdateExecutable{number_of(executable), take_nodes(recorder, read)});
      },
      executable, graph, error_node, result);
}

int hipGraphLaunch(GraphExec executable, Stream stream) {
  return observe_request<&::hipGraphLaunch>(launches(executable, stream), executable, stream);
}

int hipGraphLaunch_spt(GraphExec executable, Stream stream) {
  const Stream own = compass::hip::per_thread(stream);
  return observe_request<&::hipGraphLaunch_spt>(launches(executable, own), executable, stream);
}

int hipGraphExecDestroy(GraphExec executable) {
  return observe_request<&::hipGraphExecDestroy>(
      [executable](Recorder& recorder) {
        return recorder.append(compass::journal::DestroyExecutable{number_of(executable)});
      },
      executable);
}

int hipGraphNodeSetEnabled(GraphExec executable, GraphNode node, unsigned enabled) {
  return observe<&::hipGraphNodeSetEnabled>(
      [=](Recorder& recorder) {
        recorder.append(
            compass::journal::EnableNode{number_of(executable), number_of(node), enabled != 0});
      },
      executable, node, enabled);
}
