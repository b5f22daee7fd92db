// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "ir/access.h"
#include "ir/base/result.h"
#include "ir/record.h"
#include "ir/text/token.h"

namespace compass::text {

/// Memory, by the name of its buffer.
struct Place {
  enum class Kind : std::uint8_t {
    kBuffer,
    kNull,
    kHost,     ///< pageable memory of the host
    kNowhere,  ///< where no known memory is
  };
  Kind kind = Kind::kBuffer;
  std::string buffer;
  std::uint64_t offset_bytes = 0;
  bool freed = false;  ///< the buffer was freed by then
  friend bool operator==(const Place&, const Place&) = default;
};

/// Bytes of an argument of which nothing more may be said.
struct Opaque {
  std::uint64_t size_bytes = 0;
  friend bool operator==(const Opaque&, const Opaque&) = default;
};

struct Argument {
  std::string name;                                ///< empty where the compiler kept none
  std::uint32_t inside_bytes = 0;                  ///< where in an argument that is a structure
  std::variant<Place, std::string, Opaque> value;  ///< the string: a number as it is written
  friend bool operator==(const Argument&, const Argument&) = default;
};

struct LaunchLine {
  std::string kernel;  ///< its name in Document::kernels
  std::array<std::uint32_t, 3> grid_workgroups{1, 1, 1};
  std::array<std::uint32_t, 3> workgroup_workitems{1, 1, 1};
  std::uint32_t dynamic_lds_bytes = 0;
  std::vector<Argument> arguments;
  bool is_cooperative = false;
};

struct CopyLine {
  CopyDirection direction = CopyDirection::kHostToDevice;
  HostWait wait = HostWait::kBlocking;
  Place source, destination;
  std::uint64_t size_bytes = 0;
  RowCounts counts;
  Pitches source_pitches, destination_pitches;
};

struct FillLine {
  Place destination;
  std::uint64_t value = 0;
  std::uint32_t value_bytes = 1;
  std::uint64_t size_bytes = 0;
  RowCounts counts;
  Pitches pitches;
  HostWait wait = HostWait::kBlocking;
};

/// Every other kind of record, by its name (kind_of()).
struct OtherLine {
  std::string kind;
  std::optional<Place> place;  ///< of the kinds that have_place() names
  std::string text;            ///< what stands behind
};

/// From here on, in the section, the lines of this stream, or the host's, have this phase.
struct PhaseLine {
  std::string phase;
};

/// One line of a section. Equal lines have equal text, and the other way round.
struct Line {
  std::variant<LaunchLine, CopyLine, FillLine, OtherLine, PhaseLine> what;
  std::int32_t status = 0;  ///< what the runtime returned
};

/// A buffer of which these bytes were accessed; no runs: all of it.
struct AccessedBuffer {
  std::string buffer;
  AccessRuns runs;
};

/// What a launch read and wrote or, where a graph was launched, what one of its nodes did.
struct Accesses {
  std::optional<std::uint32_t> node;  ///< its place in the list of the graph's nodes
  std::string kernel;                 ///< of the node
  std::vector<AccessedBuffer> reads, writes;
};

std::string print_line(const Line& line);
Result<Line> parse_line(Cursor& cursor);

std::string print_accesses(const Accesses& accesses);
/// Whether the next words could be print_accesses()'s.
bool starts_accesses(std::string_view text);
Result<Accesses> parse_accesses(Cursor& cursor);

/// Whether such a line can have accesses: it launches a kernel or a graph.
bool may_access(const Line& line);
/// What such a line launches, in a few words.
std::string launched_text(const Line& line);

std::string place_text(const Place& place);
Result<Place> parse_place(Cursor& cursor);

/// Whether lines of this kind say which memory they are about, behind the kind's name.
bool have_place(std::string_view kind);

/// `numbers` with commas between.
template <class Numbers>
std::string list_text(const Numbers& numbers) {
  std::string text;
  for (const auto number : numbers) {
    if (!text.empty()) text += ',';
    text += std::to_string(number);
  }
  return text;
}

}  // namespace compass::text
