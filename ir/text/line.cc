// SPDX-License-Identifier: MIT
//
// Lines as text; parse_line.cc is the reverse.
#include "ir/text/line.h"

#include "ir/base/concat.h"

namespace compass::text {
namespace {

/// "3", "3x2" or "3x2x4": sizes of 1 at the end are left out.
std::string sizes_text(const std::array<std::uint32_t, 3>& sizes) {
  if (sizes[2] != 1) return concat(sizes[0], 'x', sizes[1], 'x', sizes[2]);
  return sizes[1] != 1 ? concat(sizes[0], 'x', sizes[1]) : std::to_string(sizes[0]);
}

std::string argument_text(const Argument& argument) {
  std::string text;
  if (!argument.name.empty()) {
    text = name_text(argument.name);
    if (argument.inside_bytes != 0) text += concat("[+", argument.inside_bytes, ']');
    text += '=';
  }
  if (const auto* place = std::get_if<Place>(&argument.value)) return text + place_text(*place);
  if (const auto* number = std::get_if<std::string>(&argument.value)) return text + *number;
  return concat(text, "opaque ", std::get_if<Opaque>(&argument.value)->size_bytes, " bytes");
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

std::string_view wait_text(HostWait wait) { return wait == HostWait::kAsync ? " async" : ""; }

struct Text {
  std::string operator()(const LaunchLine& launch) const {
    std::string text = concat(name_text(launch.kernel), "<<<", sizes_text(launch.grid_workgroups),
                              ", ", sizes_text(launch.workgroup_workitems));
    if (launch.dynamic_lds_bytes != 0) text += concat(", ", launch.dynamic_lds_bytes);
    text += ">>>(";
    std::string_view separator;
    for (const Argument& argument : launch.arguments) {
      text += concat(separator, argument_text(argument));
      separator = ", ";
    }
    return text + (launch.is_cooperative ? ") cooperative" : ")");
  }
  std::string operator()(const CopyLine& copy) const {
    std::string rows = rows_text(copy.counts);
    if (!rows.empty()) {
      rows += concat(pitches_text(copy.counts, copy.source_pitches), " -> ",
                     pitches_text(copy.counts, copy.destination_pitches));
    }
    return concat("copy ", name_of(copy.direction), ' ', place_text(copy.source), " -> ",
                  place_text(copy.destination), ' ', copy.size_bytes, " B", rows,
                  wait_text(copy.wait));
  }
  std::string operator()(const FillLine& fill) const {
    std::string rows = rows_text(fill.counts);
    if (!rows.empty()) rows += pitches_text(fill.counts, fill.pitches);
    return concat("fill ", place_text(fill.destination), " with ",
                  hex(fill.value, static_cast<int>(fill.value_bytes) * 2), ' ', fill.size_bytes,
                  " B", rows, wait_text(fill.wait));
  }
  std::string operator()(const OtherLine& other) const {
    std::string text = other.kind;
    if (other.place) text += concat(' ', place_text(*other.place));
    return other.text.empty() ? text : concat(text, ' ', other.text);
  }
  std::string operator()(const PhaseLine& phase) const {
    return concat("phase ", name_text(phase.phase));
  }
};

std::string run_text(const AccessRun& run) {
  std::string text = concat(run.first, ':', run.first + run.size_bytes);
  if (run.count != 1) text += concat(" step ", run.stride_bytes, " x ", run.count);
  return text;
}

/// "reads a, b[0:64, 128:192]".
std::string buffers_text(std::string_view verb, const std::vector<AccessedBuffer>& buffers) {
  std::string text;
  for (const AccessedBuffer& each : buffers) {
    text += concat(text.empty() ? verb : ", ", name_text(each.buffer));
    std::string_view separator = "[";
    for (const AccessRun& run : each.runs) {
      text += concat(separator, run_text(run));
      separator = ", ";
    }
    if (!each.runs.empty()) text += ']';
  }
  return text;
}

}  // namespace

std::string place_text(const Place& place) {
  switch (place.kind) {
    case Place::Kind::kNull:
      return "null";
    case Place::Kind::kHost:
      return "host";
    case Place::Kind::kNowhere:
      return "nowhere";
    case Place::Kind::kBuffer:
      break;
  }
  std::string text = name_text(place.buffer);
  if (place.offset_bytes != 0) text += concat("[+", place.offset_bytes, ']');
  return place.freed ? text + " (freed)" : text;
}

std::string print_line(const Line& line) {
  std::string text = std::visit(Text{}, line.what);
  return line.status == 0 ? text : concat(text, " failed ", line.status);
}

bool may_access(const Line& line) {
  const auto* other = std::get_if<OtherLine>(&line.what);
  return std::holds_alternative<LaunchLine>(line.what) ||
         (other != nullptr && other->kind == "launch_graph");
}

std::string launched_text(const Line& line) {
  const auto* launch = std::get_if<LaunchLine>(&line.what);
  return launch != nullptr ? name_text(launch->kernel) : std::visit(Text{}, line.what);
}

std::string print_accesses(const Accesses& accesses) {
  const std::string node =
      accesses.node ? concat("node ", *accesses.node, ' ', name_text(accesses.kernel), ' ') : "";
  const std::string reads = buffers_text("reads ", accesses.reads);
  const std::string writes = buffers_text("writes ", accesses.writes);
  if (reads.empty() && writes.empty()) return node + "accesses nothing";
  return concat(node, reads, reads.empty() || writes.empty() ? "" : "; ", writes);
}

}  // namespace compass::text
