// SPDX-License-Identifier: MIT
#include "ir/text/lines.h"

#include <algorithm>
#include <array>
#include <deque>
#include <variant>

#include "ir/base/concat.h"
#include "ir/text/mark_text.h"
#include "ir/text/signature.h"

namespace compass::text {
namespace {

std::string flags_text(std::uint32_t flags) {
  return flags == 0 ? std::string() : concat(" flags=", flags);
}

std::string mode_text(std::uint32_t mode) {
  constexpr std::array<std::string_view, 3> kModes = {"global", "thread-local", "relaxed"};
  return mode < kModes.size() ? std::string(kModes[mode]) : std::to_string(mode);
}

/// How many nodes there are, and their order where it is not one after the other.
std::string nodes_text(const std::vector<GraphNode>& nodes) {
  bool is_chain = true;
  std::string edges;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const std::vector<std::uint32_t>& after = nodes[i].after;
    is_chain = is_chain && (i == 0 ? after.empty() : after.size() == 1 && after[0] + 1 == i);
    for (const std::uint32_t before : after) {
      edges += concat(edges.empty() ? "" : ",", before, "->", i);
    }
  }
  const std::string count = concat("nodes=", nodes.size());
  return is_chain ? count : concat(count, " edges=", edges.empty() ? "none" : edges);
}

/// What the kind of a record needs behind its name, for the kinds that name only an id.
struct IdText {
  const Record& record;
  std::string operator()(const CreateStream& body) const {
    return concat(record.stream.value, flags_text(body.flags));
  }
  std::string operator()(const DestroyStream&) const { return std::to_string(record.stream.value); }
  std::string operator()(const CreateEvent& body) const {
    return concat(body.event.value, flags_text(body.flags));
  }
  std::string operator()(const DestroyEvent& body) const {
    return std::to_string(body.event.value);
  }
  std::string operator()(const RecordEvent& body) const { return std::to_string(body.event.value); }
  std::string operator()(const WaitEvent& body) const { return std::to_string(body.event.value); }
  std::string operator()(const Synchronize& body) const {
    if (body.scope != SyncScope::kEvent) return std::string(name_of(body.scope));
    return concat("event ", body.event.value);
  }
  std::string operator()(const LoadCodeObject& body) const {
    return std::to_string(body.code_object.value);
  }
  std::string operator()(const UnloadCodeObject& body) const {
    return std::to_string(body.code_object.value);
  }
  std::string operator()(const BeginCapture& body) const { return mode_text(body.mode); }
  std::string operator()(const EndCapture& body) const {
    return body.graph ? concat("graph ", body.graph.value) : "failed";
  }
  std::string operator()(const DestroyGraph& body) const {
    return std::to_string(body.graph.value);
  }
  std::string operator()(const InstantiateGraph& body) const {
    const std::string from = body.graph ? concat(" graph=", body.graph.value) : std::string();
    return concat(body.executable.value, from, ' ', nodes_text(body.nodes));
  }
  std::string operator()(const UpdateExecutable& body) const {
    return concat(body.executable.value, ' ', nodes_text(body.nodes));
  }
  std::string operator()(const SetNode& body) const {
    return concat(body.executable.value, " node ", body.node);
  }
  std::string operator()(const EnableNode& body) const {
    return concat(body.executable.value, " node ", body.node, body.enabled ? " on" : " off");
  }
  std::string operator()(const LaunchGraph& body) const {
    return std::to_string(body.executable.value);
  }
  std::string operator()(const DestroyExecutable& body) const {
    return std::to_string(body.executable.value);
  }
  std::string operator()(const ChildNode& body) const { return nodes_text(body.nodes); }
  template <class Other>
  std::string operator()(const Other&) const {
    return {};
  }
};

}  // namespace

/// Whether the record's place is in its stream, not only in the host's order.
bool is_stream_work(const Record& record) {
  if (const auto* allocate = std::get_if<Allocate>(&record.body)) return allocate->in_stream_order;
  if (const auto* free = std::get_if<Free>(&record.body)) return free->in_stream_order;
  if (const auto* synchronize = std::get_if<Synchronize>(&record.body)) {
    return synchronize->scope == SyncScope::kStream;
  }
  return std::holds_alternative<Copy>(record.body) || std::holds_alternative<Fill>(record.body) ||
         std::holds_alternative<LaunchKernel>(record.body) ||
         std::holds_alternative<RecordEvent>(record.body) ||
         std::holds_alternative<WaitEvent>(record.body) ||
         std::holds_alternative<BeginCapture>(record.body) ||
         std::holds_alternative<EndCapture>(record.body) ||
         std::holds_alternative<LaunchGraph>(record.body) ||
         std::holds_alternative<HostFunction>(record.body) ||
         std::holds_alternative<WaitValue>(record.body);
}

LineMaker::LineMaker(const Recording& recording, const Names& names, Document& document)
    : recording_(recording),
      names_(names),
      document_(document),
      replays_(recording),
      freed_(recording.allocations.size()) {
  for (const Kernel& kernel : recording.kernels) {
    std::vector<std::string> types = parameter_types(kernel.canonical);
    const auto passed = std::count_if(
        kernel.arguments.begin(), kernel.arguments.end(),
        [](const KernelArgument& each) { return each.kind != ArgumentKind::kHidden; });
    if (types.size() != static_cast<std::size_t>(passed)) types.clear();
    types_.push_back(std::move(types));
  }
}

void LineMaker::pass(const Record& record) {
  replays_.take(record);
  const auto* free = std::get_if<Free>(&record.body);
  if (free == nullptr || record.status != 0 || record.captured) return;
  freed_[free->allocation.value - 1] = true;
  line_of_launch_.clear();
}

/// Launches that share a row are most of a recording's; their line is made once between two frees.
std::optional<LineIndex> LineMaker::line(const Record& record) {
  const auto* launch = std::get_if<LaunchKernel>(&record.body);
  if (launch == nullptr || record.status != 0) {
    std::optional<Line> line = line_of(record);
    if (!line) return std::nullopt;
    line->status = record.status;
    return document_.add(std::move(*line));
  }
  const auto known = line_of_launch_.find(launch->launch.value);
  if (known != line_of_launch_.end()) return known->second;
  const LineIndex index = document_.add(*line_of(record));
  line_of_launch_.emplace(launch->launch.value, index);
  return index;
}

std::optional<Line> LineMaker::line_of(const Record& record) const {
  if (std::holds_alternative<BeginStep>(record.body)) return std::nullopt;
  if (std::holds_alternative<EndStep>(record.body)) return std::nullopt;
  if (const auto* launch = std::get_if<LaunchKernel>(&record.body)) {
    return Line{launch_line(recording_.launch_of(*launch)), 0};
  }
  if (const auto* copy = std::get_if<Copy>(&record.body)) return Line{copy_line(*copy), 0};
  if (const auto* fill = std::get_if<Fill>(&record.body)) return Line{fill_line(*fill), 0};
  return Line{other_line(record), 0};
}

Place LineMaker::place(const MemoryRef& memory, Place::Kind nowhere) const {
  if (memory.is_null()) return {Place::Kind::kNull, {}, 0, false};
  if (!memory.allocation) return {nowhere, {}, 0, false};
  return {Place::Kind::kBuffer, names_.buffer(memory.allocation), memory.offset_bytes,
          freed_[memory.allocation.value - 1]};
}

OtherLine LineMaker::other_line(const Record& record) const {
  OtherLine line{std::string(kind_of(record)), std::nullopt, {}};
  const auto buffer = [&](AllocationId id, bool in_stream_order) {
    line.place = Place{Place::Kind::kBuffer, names_.buffer(id), 0, false};
    if (in_stream_order) line.text = "async";
  };
  if (const auto* allocate = std::get_if<Allocate>(&record.body)) {
    buffer(allocate->allocation, allocate->in_stream_order);
  } else if (const auto* free = std::get_if<Free>(&record.body)) {
    buffer(free->allocation, free->in_stream_order);
  } else if (const auto* wait = std::get_if<WaitValue>(&record.body)) {
    const int digits = static_cast<int>(wait->value_bytes) * 2;
    line.place = place(wait->place, Place::Kind::kHost);
    line.text = concat(name_of(wait->condition), ' ', hex(wait->value, digits), " mask ",
                       hex(wait->mask, digits));
  } else if (const auto* write = std::get_if<HostWrite>(&record.body)) {
    line.place = place(write->place, Place::Kind::kHost);
    line.text = concat(write->size_bytes, " B");
  } else if (const auto memory = marked_memory(record.body)) {
    line.place = place(*memory, Place::Kind::kHost);
    line.text = mark_text(record.body);
  } else {
    line.text = concat(std::visit(IdText{record}, record.body), mark_text(record.body));
  }
  return line;
}

CopyLine LineMaker::copy_line(const Copy& copy) const {
  return {.direction = copy.direction,
          .wait = copy.wait,
          .source = place(copy.source, Place::Kind::kHost),
          .destination = place(copy.destination, Place::Kind::kHost),
          .size_bytes = copy.size_bytes,
          .counts = copy.counts,
          .source_pitches = copy.source_pitches,
          .destination_pitches = copy.destination_pitches};
}

FillLine LineMaker::fill_line(const Fill& fill) const {
  return {.destination = place(fill.destination, Place::Kind::kHost),
          .value = fill.value,
          .value_bytes = fill.value_bytes,
          .size_bytes = fill.size_bytes,
          .counts = fill.counts,
          .pitches = fill.pitches,
          .wait = fill.wait};
}

LaunchLine LineMaker::launch_line(const Launch& launch) const {
  LaunchLine line;
  line.kernel = names_.kernel(launch.kernel);
  line.grid_workgroups = launch.grid_workgroups;
  line.workgroup_workitems = launch.workgroup_workitems;
  line.dynamic_lds_bytes = launch.dynamic_lds_bytes;
  line.is_cooperative = launch.is_cooperative;
  for (const LaunchArgument& each : launch.arguments) {
    line.arguments.push_back(argument(launch, each));
  }
  return line;
}

/// A whole argument has the name that the compiler kept, if any; one inside another says where.
Argument LineMaker::argument(const Launch& launch, const LaunchArgument& argument) const {
  const Kernel& kernel = recording_.kernel(launch.kernel);
  Argument made;
  made.name = "kernarg";
  made.inside_bytes = argument.offset_bytes;
  made.value = Opaque{argument.size_bytes};
  for (std::size_t i = 0; i < kernel.arguments.size(); ++i) {
    const KernelArgument& whole = kernel.arguments[i];
    const std::uint32_t inside = argument.offset_bytes - whole.offset_bytes;
    if (argument.offset_bytes < whole.offset_bytes || inside >= whole.size_bytes) continue;
    made.name = printable(whole.name);
    if (inside != 0 && made.name.empty()) made.name = concat("arg", i);
    made.inside_bytes = inside;
    const bool is_whole = inside == 0 && whole.size_bytes == argument.size_bytes;
    if (is_whole && !argument.is_pointer) {
      const std::vector<std::string>& types = types_[kernel.id.value - 1];
      const std::string number = value_text(
          i < types.size() ? std::string_view(types[i]) : std::string_view(), argument.bytes);
      if (!number.empty()) made.value = number;
    }
    break;
  }
  if (argument.is_pointer) made.value = place(argument.memory, Place::Kind::kNowhere);
  return made;
}

AccessIndex LineMaker::accesses(const Record& record) {
  const std::vector<LaunchAccesses>& all = recording_.launch_accesses;
  const auto first = std::lower_bound(
      all.begin(), all.end(), record.sequence,
      [](const LaunchAccesses& each, std::uint64_t sequence) { return each.record < sequence; });
  if (first == all.end() || first->record != record.sequence) return kUnknownAccesses;
  if (const auto* graph = std::get_if<LaunchGraph>(&record.body)) {
    const auto last = std::find_if(first, all.end(), [&](const LaunchAccesses& each) {
      return each.record != record.sequence;
    });
    return accesses_of_graph(graph->executable, {first, last});
  }
  const auto [known, is_new] = index_of_summary_.try_emplace(first->summary.value);
  if (is_new) known->second = document_.add(std::vector{accesses_of(first->summary)});
  return known->second;
}

Accesses LineMaker::accesses_of(AccessSummaryId id) const {
  Accesses accesses;
  for (const AllocationAccess& each : recording_.access_summary(id).allocations) {
    if (!each.reads.empty()) accesses.reads.push_back(accessed(each.allocation, each.reads));
    if (!each.writes.empty()) accesses.writes.push_back(accessed(each.allocation, each.writes));
  }
  return accesses;
}

AccessedBuffer LineMaker::accessed(AllocationId id, const AccessRuns& runs) const {
  const AccessRuns whole = {{0, recording_.allocation(id).size_bytes, 0, 1}};
  return {names_.buffer(id), runs == whole ? AccessRuns{} : runs};
}

/// A line a node, in the order in which they run; of nodes that ran more than once, more.
AccessIndex LineMaker::accesses_of_graph(ExecutableId executable,
                                         std::span<const LaunchAccesses> of_launch) {
  std::unordered_map<std::uint64_t, std::deque<AccessSummaryId>> of_node;
  for (const LaunchAccesses& each : of_launch) of_node[each.node].push_back(each.summary);
  std::vector<Accesses> list;
  const std::vector<std::uint64_t>& nodes = replays_.nodes_of(executable);
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const auto found = of_node.find(nodes[i]);
    if (found == of_node.end() || found->second.empty()) continue;
    Accesses accesses = accesses_of(found->second.front());
    found->second.pop_front();
    accesses.node = static_cast<std::uint32_t>(i);
    const Record& node = recording_.records.at(nodes[i] - 1);
    if (const auto* launch = std::get_if<LaunchKernel>(&node.body)) {
      accesses.kernel = names_.kernel(recording_.launch(launch->launch).kernel);
    }
    list.push_back(std::move(accesses));
  }
  return list.empty() ? kUnknownAccesses : document_.add(std::move(list));
}

}  // namespace compass::text
