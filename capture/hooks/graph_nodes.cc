// SPDX-License-Identifier: MIT
#include "capture/hooks/graph_nodes.h"

#include <unordered_map>

#include "capture/hooks/launching.h"
#include "capture/hooks/observe.h"
#include "capture/hooks/pitched_copying.h"

/// What the nodes of graphs do, as programs and runtimes say it.
namespace compass::capture {
namespace {

constexpr auto kOfNode = Recorder::Work::kOfNode;

/// Calls a function of the runtime by its name. Whether it succeeded; if not, that is said.
template <class... Parameters>
bool ask(Recorder& recorder, const char* name, Parameters... parameters) {
  const auto function = reinterpret_cast<int (*)(Parameters...)>(find_in_runtime(name));
  if (function != nullptr && function(parameters...) == hip::kSuccess) return true;
  recorder.lose(concat("the runtime does not say what a graph's nodes do (", name, ")"));
  return false;
}

/// A copy that no array is part of.
std::uint64_t append_copy(Recorder& recorder, std::optional<CopyCall> copy) {
  if (!copy) {
    recorder.lose("a graph copies an array");
    return 0;
  }
  if (copy->size_bytes == 0) return recorder.append(journal::EmptyNode{}, kOfNode);
  copy->work = kOfNode;
  return record_copy(recorder, *copy);
}

/// The parameters of a node, of one of the types that a runtime tells them of.
template <class Parameters>
std::uint64_t append_told(Recorder& recorder, const char* name, hip::GraphNode node) {
  Parameters parameters{};
  return ask(recorder, name, node, &parameters) ? append_node(recorder, parameters) : 0;
}

hip::Event event_of(Recorder& recorder, const char* name, hip::GraphNode node) {
  hip::Event event = nullptr;
  ask(recorder, name, node, &event);
  return event;
}

std::uint64_t append_allocation(Recorder& recorder, hip::GraphNode node) {
  hip::MemAllocNodeParams parameters{};
  if (!ask(recorder, "hipGraphMemAllocNodeGetParams", node, &parameters)) return 0;
  return recorder.append(journal::Allocate{journal::MemoryKind::kDevice,
                                           number_of(parameters.pointer), parameters.size_bytes},
                         kOfNode);
}

std::uint64_t append_free(Recorder& recorder, hip::GraphNode node) {
  void* pointer = nullptr;
  if (!ask(recorder, "hipGraphMemFreeNodeGetParams", node, static_cast<void*>(&pointer))) return 0;
  return recorder.append(journal::Free{number_of(pointer)}, kOfNode);
}

std::uint64_t append_child_of(Recorder& recorder, hip::GraphNode node) {
  hip::Graph child = nullptr;
  if (!ask(recorder, "hipGraphChildGraphNodeGetGraph", node, &child)) return 0;
  return append_child_node(recorder, child);
}

/// Appends what the runtime says of the node.
std::uint64_t append_read(Recorder& recorder, hip::GraphNode node, hip::GraphNodeType type) {
  switch (type) {
    case hip::kGraphNodeKernel:
      return append_told<hip::KernelNodeParams>(recorder, "hipGraphKernelNodeGetParams", node);
    case hip::kGraphNodeMemcpy:
      return append_told<hip::Memcpy3DParms>(recorder, "hipGraphMemcpyNodeGetParams", node);
    case hip::kGraphNodeMemset:
      return append_told<hip::MemsetParams>(recorder, "hipGraphMemsetNodeGetParams", node);
    case hip::kGraphNodeHost:
      return append_host_node(recorder);
    case hip::kGraphNodeGraph:
      return append_child_of(recorder, node);
    case hip::kGraphNodeEmpty:
      return recorder.append(journal::EmptyNode{}, kOfNode);
    case hip::kGraphNodeEventRecord:
      return append_event_record_node(recorder,
                                      event_of(recorder, "hipGraphEventRecordNodeGetEvent", node));
    case hip::kGraphNodeWaitEvent:
      return append_event_wait_node(recorder,
                                    event_of(recorder, "hipGraphEventWaitNodeGetEvent", node));
    case hip::kGraphNodeMemAlloc:
      return append_allocation(recorder, node);
    case hip::kGraphNodeMemFree:
      return append_free(recorder, node);
    default:
      recorder.lose(concat("a graph has a node of type ", static_cast<int>(type)));
      return 0;
  }
}

std::uint64_t entry_for(Recorder& recorder, const Graphs::Node& node) {
  if (const std::uint64_t known = recorder.lasting_node_entry(node.handle)) return known;
  const std::uint64_t entry =
      append_read(recorder, reinterpret_cast<hip::GraphNode>(node.handle), node.type);
  // Memory is made once, however often the graph is instantiated.
  const bool lasts = node.type == hip::kGraphNodeMemAlloc || node.type == hip::kGraphNodeMemFree;
  recorder.set_node_entry(node.handle, entry, lasts);
  return entry;
}

/// Says of each node which it comes after.
void read_edges(Recorder& recorder, hip::Graph graph, std::vector<journal::GraphNode>& nodes) {
  std::size_t count = 0;
  hip::GraphNode* const nowhere = nullptr;
  if (!ask(recorder, "hipGraphGetEdges", graph, nowhere, nowhere, &count) || count == 0) return;
  std::vector<hip::GraphNode> from(count), to(count);
  if (!ask(recorder, "hipGraphGetEdges", graph, from.data(), to.data(), &count)) return;
  std::unordered_map<std::uint64_t, std::uint32_t> places;
  for (const journal::GraphNode& node : nodes) {
    places.emplace(node.handle, static_cast<std::uint32_t>(places.size()));
  }
  for (std::size_t i = 0; i < count; ++i) {
    const auto before = places.find(number_of(from[i]));
    const auto after = places.find(number_of(to[i]));
    if (before != places.end() && after != places.end()) {
      nodes[after->second].after.push_back(before->second);
    }
  }
}

}  // namespace

std::optional<std::vector<Graphs::Node>> nodes_in(Recorder& recorder, hip::Graph graph) {
  using GetNodes = int (*)(hip::Graph, hip::GraphNode*, std::size_t*);
  const auto get_nodes = reinterpret_cast<GetNodes>(find_in_runtime("hipGraphGetNodes"));
  std::size_t count = 0;
  if (get_nodes == nullptr || get_nodes(graph, nullptr, &count) != hip::kSuccess) return {};
  std::vector<hip::GraphNode> handles(count);
  if (count != 0 && get_nodes(graph, handles.data(), &count) != hip::kSuccess) return {};
  std::vector<Graphs::Node> nodes;
  for (const hip::GraphNode handle : handles) {
    hip::GraphNodeType type = hip::kGraphNodeEmpty;
    ask(recorder, "hipGraphNodeGetType", handle, &type);
    nodes.push_back({number_of(handle), type});
  }
  return nodes;
}

std::optional<std::vector<journal::GraphNode>> read_nodes(Recorder& recorder, hip::Graph graph) {
  const auto nodes = nodes_in(recorder, graph);
  if (!nodes) return {};
  std::vector<journal::GraphNode> read;
  for (const Graphs::Node& node : *nodes) {
    read.push_back({node.handle, entry_for(recorder, node), {}});
  }
  read_edges(recorder, graph, read);
  return read;
}

std::uint64_t append_node(Recorder& recorder, const hip::KernelNodeParams& parameters) {
  LaunchCall call =
      launch_of(parameters.function, sizes_of(parameters.grid_workgroups),
                sizes_of(parameters.workgroup_workitems), parameters.dynamic_lds_bytes, nullptr);
  call = with_arguments(call, parameters.arguments, parameters.extra);
  call.work = kOfNode;
  const Recorder::AppendedLaunch launch = recorder.append_launch(call);
  if (!launch.loss.empty()) recorder.lose(launch.loss);
  return launch.entry;
}

std::uint64_t append_node(Recorder& recorder, const hip::Memcpy3DParms& parameters) {
  return append_copy(recorder, copy_asked_for(&parameters));
}

std::uint64_t append_node(Recorder& recorder, const hip::DriverMemcpy3D& parameters) {
  return append_copy(recorder, copy_asked_for(&parameters));
}

std::uint64_t append_node(Recorder& recorder, const hip::MemsetParams& parameters) {
  if (parameters.width * parameters.height == 0) {
    return recorder.append(journal::EmptyNode{}, kOfNode);
  }
  FillCall fill;
  fill.to = parameters.to;
  fill.value = parameters.value;
  fill.value_bytes = parameters.element_bytes;
  fill.count = parameters.width * parameters.height;
  fill.wait = HostWait::kAsync;
  fill.counts.rows = parameters.height;
  fill.pitches.row_bytes = parameters.pitch_bytes;
  fill.work = kOfNode;
  return record_fill(recorder, fill);
}

std::uint64_t append_copy_node(Recorder& recorder, const void* to, const void* from,
                               std::size_t size_bytes, unsigned kind) {
  CopyCall copy;
  copy.to = const_cast<void*>(to);
  copy.from = from;
  copy.size_bytes = size_bytes;
  copy.kind = kind;
  copy.wait = HostWait::kAsync;
  return append_copy(recorder, copy);
}

std::uint64_t append_host_node(Recorder& recorder) {
  return recorder.append(journal::HostFunction{0}, kOfNode);
}

std::uint64_t append_event_record_node(Recorder& recorder, hip::Event event) {
  return recorder.append(journal::RecordEvent{number_of(event), 0}, kOfNode);
}

std::uint64_t append_event_wait_node(Recorder& recorder, hip::Event event) {
  return recorder.append(journal::WaitEvent{0, number_of(event)}, kOfNode);
}

std::uint64_t append_child_node(Recorder& recorder, hip::Graph child) {
  auto nodes = read_nodes(recorder, child);
  if (!nodes) return 0;
  return recorder.append(journal::ChildGraph{*std::move(nodes)}, kOfNode);
}

std::uint64_t append_node(Recorder& recorder, const hip::GraphNodeParams& parameters) {
  switch (parameters.type) {
    case hip::kGraphNodeKernel:
      return append_node(recorder, parameters.kernel);
    case hip::kGraphNodeMemcpy:
      return append_node(recorder, parameters.copy.parameters);
    case hip::kGraphNodeMemset:
      return append_node(recorder, parameters.fill);
    case hip::kGraphNodeHost:
      return append_host_node(recorder);
    case hip::kGraphNodeGraph:
      return append_child_node(recorder, parameters.child);
    case hip::kGraphNodeEventRecord:
      return append_event_record_node(recorder, parameters.event);
    case hip::kGraphNodeWaitEvent:
      return append_event_wait_node(recorder, parameters.event);
    default:
      recorder.lose(concat("a graph's node of type ", static_cast<int>(parameters.type),
                           " was given other work"));
      return 0;
  }
}

}  // namespace compass::capture
