// SPDX-License-Identifier: MIT
#include "ir/text/lines.h"

#include <array>
#include <variant>

#include "ir/base/concat.h"

namespace compass {
namespace {

std::string flags_text(std::uint32_t flags) {
  return flags == 0 ? std::string() : concat(" flags=", flags);
}

/// "3", "3x2" or "3x2x4": sizes of 1 at the end are left out.
std::string sizes_text(const std::array<std::uint32_t, 3>& sizes) {
  if (sizes[2] != 1) return concat(sizes[0], 'x', sizes[1], 'x', sizes[2]);
  return sizes[1] != 1 ? concat(sizes[0], 'x', sizes[1]) : std::to_string(sizes[0]);
}

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

/// Whether nobody gave it to a stream: what a node does that was made by hand.
bool is_made_by_hand(const Record& record) { return record.captured && !record.stream; }

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

/// How the rows of a copy or fill lie, behind its size; nothing where there is one.
std::string rows_text(const RowCounts& counts) {
  if (counts == RowCounts{}) return {};
  const std::string slices = counts.slices == 1 ? "" : concat(counts.slices, 'x');
  return concat(" in ", slices, counts.rows, " rows, pitch ");
}
std::string pitches_text(const RowCounts& counts, const Pitches& pitches) {
  if (counts.slices == 1) return std::to_string(pitches.row_bytes);
  return concat(pitches.row_bytes, ',', pitches.slice_bytes);
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

std::optional<TextLine> LinePrinter::print(const Record& record) {
  std::optional<std::string> text = text_of(record);
  if (!text) return std::nullopt;
  if (record.status != 0) *text += concat(" failed ", record.status);
  TextLine line{std::nullopt, printable(record.phase), std::move(*text)};
  if (is_stream_work(record) && !is_made_by_hand(record)) line.stream = record.stream;
  return line;
}

std::optional<std::string> LinePrinter::text_of(const Record& record) {
  if (std::holds_alternative<BeginStep>(record.body)) return std::nullopt;
  if (std::holds_alternative<EndStep>(record.body)) return std::nullopt;
  if (const auto* launch = std::get_if<LaunchKernel>(&record.body)) {
    return launch_text(recording_.launch(launch->launch));
  }
  if (const auto* copy = std::get_if<Copy>(&record.body)) return copy_text(*copy);
  if (const auto* fill = std::get_if<Fill>(&record.body)) return fill_text(*fill);
  if (const auto* allocate = std::get_if<Allocate>(&record.body)) {
    return concat("allocate ", names_.buffer(allocate->allocation),
                  allocate->in_stream_order ? " async" : "");
  }
  if (const auto* free = std::get_if<Free>(&record.body)) {
    if (record.status == 0 && !record.captured) freed_[free->allocation.value - 1] = true;
    return concat("free ", names_.buffer(free->allocation), free->in_stream_order ? " async" : "");
  }
  if (const auto* wait = std::get_if<WaitValue>(&record.body)) return wait_text(*wait);
  const std::string what = std::visit(IdText{record}, record.body);
  return concat(kind_of(record), what.empty() ? "" : " ", what);
}

std::string LinePrinter::place(const MemoryRef& memory, std::string_view nowhere) const {
  const bool freed = memory.allocation && freed_[memory.allocation.value - 1];
  return concat(names_.place(memory, nowhere), freed ? " (freed)" : "");
}

std::string LinePrinter::copy_text(const Copy& copy) const {
  std::string rows = rows_text(copy.counts);
  if (!rows.empty()) {
    rows += concat(pitches_text(copy.counts, copy.source_pitches), " -> ",
                   pitches_text(copy.counts, copy.destination_pitches));
  }
  return concat("copy ", name_of(copy.direction), ' ', place(copy.source, "host"), " -> ",
                place(copy.destination, "host"), ' ', copy.size_bytes, " B", rows,
                copy.wait == HostWait::kAsync ? " async" : "");
}

std::string LinePrinter::fill_text(const Fill& fill) const {
  std::string rows = rows_text(fill.counts);
  if (!rows.empty()) rows += pitches_text(fill.counts, fill.pitches);
  return concat("fill ", place(fill.destination, "host"), " with ",
                hex(fill.value, static_cast<int>(fill.value_bytes) * 2), ' ', fill.size_bytes, " B",
                rows, fill.wait == HostWait::kAsync ? " async" : "");
}

std::string LinePrinter::wait_text(const WaitValue& wait) const {
  const int digits = static_cast<int>(wait.value_bytes) * 2;
  return concat("wait_value ", place(wait.place, "host"), ' ', name_of(wait.condition), ' ',
                hex(wait.value, digits), " mask ", hex(wait.mask, digits));
}

std::string LinePrinter::argument_text(const Kernel& kernel, const LaunchArgument& argument) const {
  bool has_name = true;
  std::string value = concat("opaque ", argument.size_bytes, " bytes");
  for (const KernelArgument& whole : kernel.arguments) {
    if (whole.offset_bytes != argument.offset_bytes) continue;
    has_name = !whole.name.empty();
    if (whole.size_bytes == argument.size_bytes) value = scalar_text(argument.bytes);
  }
  if (argument.is_pointer) value = place(argument.memory, "nowhere");
  if (!has_name) return value;
  return concat(argument_name(kernel, argument.offset_bytes), '=', value);
}

std::string LinePrinter::launch_text(const Launch& launch) const {
  std::string text = concat(names_.kernel(launch.kernel), "<<<", sizes_text(launch.grid_workgroups),
                            ", ", sizes_text(launch.workgroup_workitems));
  if (launch.dynamic_lds_bytes != 0) text += concat(", ", launch.dynamic_lds_bytes);
  text += ">>>(";
  const Kernel& kernel = recording_.kernel(launch.kernel);
  for (std::size_t i = 0; i < launch.arguments.size(); ++i) {
    text += concat(i == 0 ? "" : ", ", argument_text(kernel, launch.arguments[i]));
  }
  return text + (launch.is_cooperative ? ") cooperative" : ")");
}

}  // namespace compass
