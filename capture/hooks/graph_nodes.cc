// SPDX-License-Identifier: MIT
#include "capture/hooks/graph_nodes.h"

#include <unordered_map>

#include "capture/hooks/observe.h"

/// What the nodes of graphs do, as programs and runtimes say it.
namespace compass::capture {
namespace {

constexpr std::uint64_t kByHand = Recorder::kByHand;

/// Calls a function of the runtime by its name. Whether it succeeded; if not, that is said.
template <class... Parameters>
bool ask(Recorder& recorder, const char* name, Parameters... parameters) {
  const auto function = reinterpret_cast<int (*)(Parameters...)>(find_in_runtime(name));
  if (function != nullptr && function(parameters...) == hip::kSuccess) return true;
  recorder.lose(concat("the runtime does not say what a graph's nodes do (", name, ")"));
  return false;
}

/// Where a side of a copy starts.
const std::byte* start_of(const hip::PitchedPtr& side, const hip::Pos& position) {
  return static_cast<const std::byte*>(side.pointer) + position.x +
         (position.y + position.z * side.rows) * side.pitch_bytes;
}

const std::byte* start_of(const hip::DriverMemcpy3DSide& side) {
  constexpr int kHost = 1;  // hipMemoryTypeHost, of the driver's calls
  const void* const pointer = side.memory_type == kHost ? side.host : side.device;
  return static_cast<const std::byte*>(pointer) + side.x_bytes +
         (side.y + side.z * side.height) * side.pitch_bytes;
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
                         kByHand);
}

std::uint64_t append_free(Recorder& recorder, hip::GraphNode node) {
  void* pointer = nullptr;
  if (!ask(recorder, "hipGraphMemFreeNodeGetParams", node, static_cast<void*>(&pointer))) return 0;
  return recorder.append(journal::Free{number_of(pointer)}, kByHand);
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
      return recorder.append(journal::EmptyNode{}, kByHand);
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
  const auto numbers = [](const hip::Dim3& size) {
    return std::array<std::uint32_t, 3>{size.x, size.y, size.z};
  };
  const Recorder::AppendedLaunch launch = recorder.append_launch(
      {number_of(parameters.function), 0, numbers(parameters.grid_workgroups),
       numbers(parameters.workgroup_workitems), parameters.dynamic_lds_bytes, parameters.arguments,
       kByHand});
  if (!launch.loss.empty()) recorder.lose(launch.loss);
  return launch.entry;
}

std::uint64_t append_node(Recorder& recorder, const hip::Memcpy3DParms& parameters) {
  const hip::Extent& extent = parameters.extent;
  if (extent.height > 1 || extent.depth > 1 || parameters.from_array != nullptr ||
      parameters.to_array != nullptr) {
    recorder.lose("a graph copies rows or arrays");
    return 0;
  }
  return append_copy_node(recorder, start_of(parameters.to, parameters.to_position),
                          start_of(parameters.from, parameters.from_position), extent.width,
                          parameters.kind);
}

std::uint64_t append_node(Recorder& recorder, const hip::DriverMemcpy3D& parameters) {
  if (parameters.height > 1 || parameters.depth > 1 || parameters.from.array != nullptr ||
      parameters.to.array != nullptr) {
    recorder.lose("a graph copies rows or arrays");
    return 0;
  }
  return append_copy_node(recorder, start_of(parameters.to), start_of(parameters.from),
                          parameters.width_bytes, hip::kMemcpyDefault);
}

std::uint64_t append_node(Recorder& recorder, const hip::MemsetParams& parameters) {
  if (parameters.height > 1) {
    recorder.lose("a graph fills rows");
    return 0;
  }
  return recorder.append(journal::Fill{.destination = number_of(parameters.to),
                                       .value = parameters.value,
                                       .value_bytes = parameters.element_bytes,
                                       .size_bytes = parameters.width * parameters.element_bytes,
                                       .stream = 0,
                                       .blocking = false},
                         kByHand);
}

std::uint64_t append_copy_node(Recorder& recorder, const void* to, const void* from,
                               std::size_t size_bytes, unsigned kind) {
  return recorder.append(journal::Copy{.destination = number_of(to),
                                       .source = number_of(from),
                                       .size_bytes = size_bytes,
                                       .direction = kind,
                                       .stream = 0,
                                       .blocking = false,
                                       .has_content = false,
                                       .content = {}},
                         kByHand);
}

std::uint64_t append_host_node(Recorder& recorder) {
  return recorder.append(journal::HostFunction{0}, kByHand);
}

std::uint64_t append_event_record_node(Recorder& recorder, hip::Event event) {
  return recorder.append(journal::RecordEvent{number_of(event), 0}, kByHand);
}

std::uint64_t append_event_wait_node(Recorder& recorder, hip::Event event) {
  return recorder.append(journal::WaitEvent{0, number_of(event)}, kByHand);
}

std::uint64_t append_child_node(Recorder& recorder, hip::Graph child) {
  auto nodes = read_nodes(recorder, child);
  if (!nodes) return 0;
  return recorder.append(journal::ChildGraph{*std::move(nodes)}, kByHand);
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

std::byte* find_symbol(const void* symbol, std::size_t offset_bytes) {
  using Find = int (*)(void**, const void*);
  const auto find = reinterpret_cast<Find>(find_in_runtime("hipGetSymbolAddress"));
  void* address = nullptr;
  if (find == nullptr || find(&address, symbol) != hip::kSuccess) return nullptr;
  return static_cast<std::byte*>(address) + offset_bytes;
}

}  // namespace compass::capture
