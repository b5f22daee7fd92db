// SPDX-License-Identifier: MIT
#include <algorithm>
#include <limits>
#include <utility>

#include "ir/base/concat.h"
#include "ir/text/line.h"

namespace compass::text {
namespace {

constexpr std::uint64_t kMost32 = std::numeric_limits<std::uint32_t>::max();

/// Kinds whose lines name memory first.
constexpr std::array<std::string_view, 9> kWithPlace = {
    "allocate",         "free",   "wait_value", "allocate_block", "free_block", "declare_pool",
    "declare_sentinel", "report", "host_write"};

template <std::size_t... kIndex>
bool is_kind(std::string_view word, std::index_sequence<kIndex...>) {
  Record record;
  const auto matches = [&](RecordBody body) {
    record.body = std::move(body);
    return kind_of(record) == word;
  };
  return (matches(RecordBody(std::in_place_index<kIndex>)) || ...);
}

/// Whether records of that kind have lines, other than launches, copies and fills.
bool is_other_kind(std::string_view word) {
  constexpr std::array<std::string_view, 5> kElsewhere = {"launch", "copy", "fill", "begin_step",
                                                          "end_step"};
  return std::find(kElsewhere.begin(), kElsewhere.end(), word) == kElsewhere.end() &&
         is_kind(word, std::make_index_sequence<std::variant_size_v<RecordBody>>{});
}

Result<std::uint32_t> number32(Cursor& cursor, std::string_view what) {
  ASSIGN_OR_RETURN(const std::uint64_t value, cursor.number(what, kMost32));
  return static_cast<std::uint32_t>(value);
}

Result<std::array<std::uint32_t, 3>> parse_sizes(Cursor& cursor) {
  std::array<std::uint32_t, 3> sizes{1, 1, 1};
  for (std::size_t i = 0; i < 3; ++i) {
    ASSIGN_OR_RETURN(sizes[i], number32(cursor, "a size"));
    if (i == 2 || !cursor.take("x")) break;
  }
  return sizes;
}

/// "[+8]", or 0 where there is none.
Result<std::uint64_t> parse_offset(Cursor& cursor, std::uint64_t most) {
  if (!cursor.take("[+")) return std::uint64_t{0};
  ASSIGN_OR_RETURN(const std::uint64_t offset, cursor.number("an offset", most));
  if (auto done = cursor.expect("]"); !done) return std::move(done).error();
  return offset;
}

}  // namespace

Result<Place> parse_place(Cursor& cursor) {
  constexpr std::pair<std::string_view, Place::Kind> kWords[] = {
      {"null", Place::Kind::kNull},
      {"host", Place::Kind::kHost},
      {"nowhere", Place::Kind::kNowhere}};
  Place place;
  const bool is_quoted = cursor.rest().starts_with('"');
  ASSIGN_OR_RETURN(place.buffer, cursor.name("a buffer, null, host or nowhere"));
  for (const auto& [word, kind] : kWords) {
    if (!is_quoted && place.buffer == word) return Place{kind, {}, 0, false};
  }
  ASSIGN_OR_RETURN(place.offset_bytes, parse_offset(cursor, ~std::uint64_t{0}));
  place.freed = cursor.take(" (freed)");
  return place;
}

namespace {

Result<Argument> parse_argument(Cursor& cursor) {
  Argument argument;
  const std::size_t start = cursor.place();
  if (auto name = cursor.name("an argument")) {
    ASSIGN_OR_RETURN(const std::uint64_t inside, parse_offset(cursor, kMost32));
    argument.name = *name;
    argument.inside_bytes = static_cast<std::uint32_t>(inside);
    if (argument.name.empty() || !cursor.take("=")) {
      cursor.go_to(start);
      argument = {};
    }
  }
  if (cursor.take("opaque ")) {
    ASSIGN_OR_RETURN(const std::uint64_t size, cursor.number("a number of bytes"));
    argument.value = Opaque{size};
    if (auto done = cursor.expect(" bytes"); !done) return std::move(done).error();
    return argument;
  }
  const char first = cursor.at_end() ? '\0' : cursor.rest().front();
  if (first == '-' || (first >= '0' && first <= '9')) {
    argument.value = std::string(cursor.number_word());
    return argument;
  }
  ASSIGN_OR_RETURN(argument.value, parse_place(cursor));
  return argument;
}

/// From behind the kernel's name on.
Result<LaunchLine> parse_launch(Cursor& cursor, std::string kernel) {
  LaunchLine launch;
  launch.kernel = std::move(kernel);
  if (auto done = cursor.expect("<<<"); !done) return std::move(done).error();
  ASSIGN_OR_RETURN(launch.grid_workgroups, parse_sizes(cursor));
  if (auto done = cursor.expect(", "); !done) return std::move(done).error();
  ASSIGN_OR_RETURN(launch.workgroup_workitems, parse_sizes(cursor));
  if (cursor.take(", ")) {
    ASSIGN_OR_RETURN(launch.dynamic_lds_bytes, number32(cursor, "a number of bytes of LDS"));
  }
  if (auto done = cursor.expect(">>>("); !done) return std::move(done).error();
  while (!cursor.take(")")) {
    if (!launch.arguments.empty()) {
      if (auto done = cursor.expect(", "); !done) return std::move(done).error();
    }
    ASSIGN_OR_RETURN(Argument argument, parse_argument(cursor));
    launch.arguments.push_back(std::move(argument));
  }
  launch.is_cooperative = cursor.take(" cooperative");
  return launch;
}

Result<RowCounts> parse_rows(Cursor& cursor) {
  RowCounts counts;
  ASSIGN_OR_RETURN(counts.rows, cursor.number("a number of rows"));
  if (cursor.take("x")) {
    counts.slices = counts.rows;
    ASSIGN_OR_RETURN(counts.rows, cursor.number("a number of rows"));
  }
  if (auto done = cursor.expect(" rows, pitch "); !done) return std::move(done).error();
  return counts;
}

Result<Pitches> parse_pitches(Cursor& cursor, const RowCounts& counts) {
  Pitches pitches;
  ASSIGN_OR_RETURN(pitches.row_bytes, cursor.number("a pitch"));
  if (counts.slices == 1) return pitches;
  if (auto done = cursor.expect(","); !done) return std::move(done).error();
  ASSIGN_OR_RETURN(pitches.slice_bytes, cursor.number("the pitch of slices"));
  return pitches;
}

Result<std::uint64_t> parse_size(Cursor& cursor) {
  if (auto done = cursor.expect(" "); !done) return std::move(done).error();
  ASSIGN_OR_RETURN(const std::uint64_t size, cursor.number("a number of bytes"));
  if (auto done = cursor.expect(" B"); !done) return std::move(done).error();
  return size;
}

HostWait parse_wait(Cursor& cursor) {
  return cursor.take(" async") ? HostWait::kAsync : HostWait::kBlocking;
}

Result<CopyDirection> parse_direction(Cursor& cursor) {
  for (const auto direction : {CopyDirection::kHostToHost, CopyDirection::kHostToDevice,
                               CopyDirection::kDeviceToHost, CopyDirection::kDeviceToDevice}) {
    if (cursor.take(name_of(direction))) return direction;
  }
  return cursor.error("h2h, h2d, d2h or d2d");
}

Result<CopyLine> parse_copy(Cursor& cursor) {
  CopyLine copy;
  if (auto done = cursor.expect(" "); !done) return std::move(done).error();
  ASSIGN_OR_RETURN(copy.direction, parse_direction(cursor));
  if (auto done = cursor.expect(" "); !done) return std::move(done).error();
  ASSIGN_OR_RETURN(copy.source, parse_place(cursor));
  if (auto done = cursor.expect(" -> "); !done) return std::move(done).error();
  ASSIGN_OR_RETURN(copy.destination, parse_place(cursor));
  ASSIGN_OR_RETURN(copy.size_bytes, parse_size(cursor));
  if (cursor.take(" in ")) {
    ASSIGN_OR_RETURN(copy.counts, parse_rows(cursor));
    ASSIGN_OR_RETURN(copy.source_pitches, parse_pitches(cursor, copy.counts));
    if (auto done = cursor.expect(" -> "); !done) return std::move(done).error();
    ASSIGN_OR_RETURN(copy.destination_pitches, parse_pitches(cursor, copy.counts));
  }
  copy.wait = parse_wait(cursor);
  return copy;
}

/// "0x00ff": the value, whose width its digits say.
Result<void> parse_fill_value(Cursor& cursor, FillLine& fill) {
  const std::size_t start = cursor.place();
  const std::string_view word = cursor.number_word();
  const std::uint32_t width = static_cast<std::uint32_t>(word.size()) / 2 - 1;
  bool is_hex = word.starts_with("0x") && word.size() % 2 == 0 && Fill::is_width(width);
  for (std::size_t i = 2; is_hex && i < word.size(); ++i) {
    const std::size_t digit = std::string_view("0123456789abcdef").find(word[i]);
    is_hex = digit != std::string_view::npos;
    fill.value = fill.value << 4 | digit;
  }
  fill.value_bytes = width;
  if (is_hex) return {};
  cursor.go_to(start);
  return cursor.error("a value as 0x and 2, 4, 8 or 16 digits");
}

Result<FillLine> parse_fill(Cursor& cursor) {
  FillLine fill;
  if (auto done = cursor.expect(" "); !done) return std::move(done).error();
  ASSIGN_OR_RETURN(fill.destination, parse_place(cursor));
  if (auto done = cursor.expect(" with "); !done) return std::move(done).error();
  if (auto done = parse_fill_value(cursor, fill); !done) return std::move(done).error();
  ASSIGN_OR_RETURN(fill.size_bytes, parse_size(cursor));
  if (cursor.take(" in ")) {
    ASSIGN_OR_RETURN(fill.counts, parse_rows(cursor));
    ASSIGN_OR_RETURN(fill.pitches, parse_pitches(cursor, fill.counts));
  }
  fill.wait = parse_wait(cursor);
  return fill;
}

/// Where " failed N" begins at the end of `text`; npos: it does not end so.
std::size_t find_status(std::string_view text) {
  constexpr std::string_view kWord = " failed ";
  const std::size_t at = text.rfind(kWord);
  if (at == std::string_view::npos) return at;
  const std::string_view number = text.substr(at + kWord.size());
  const bool is_number = !number.empty() && number.find_first_not_of("-0123456789") == number.npos;
  return is_number ? at : std::string_view::npos;
}

Result<OtherLine> parse_other(Cursor& cursor, std::string_view kind) {
  OtherLine other;
  other.kind = kind;
  const std::size_t size = std::min(find_status(cursor.rest()), cursor.rest().size());
  const std::size_t end = cursor.place() + size;
  if (have_place(kind)) {
    if (auto done = cursor.expect(" "); !done) return std::move(done).error();
    ASSIGN_OR_RETURN(other.place, parse_place(cursor));
  }
  if (cursor.place() >= end) return other;
  if (auto done = cursor.expect(" "); !done) return std::move(done).error();
  const std::string_view text = cursor.rest().substr(0, end - cursor.place());
  if (text.empty() || find_status(concat(' ', text)) != std::string_view::npos) {
    return cursor.error("what the record did");
  }
  other.text = text;
  cursor.go_to(end);
  return other;
}

Result<PhaseLine> parse_phase(Cursor& cursor) {
  if (auto done = cursor.expect(" "); !done) return std::move(done).error();
  ASSIGN_OR_RETURN(std::string phase, cursor.name("the name of a phase"));
  return PhaseLine{std::move(phase)};
}

Result<std::vector<AccessedBuffer>> parse_buffers(Cursor& cursor) {
  std::vector<AccessedBuffer> buffers;
  do {
    AccessedBuffer buffer;
    ASSIGN_OR_RETURN(buffer.buffer, cursor.name("a buffer"));
    bool more = cursor.take("[");
    while (more) {
      AccessRun run;
      ASSIGN_OR_RETURN(run.first, cursor.number("where bytes begin"));
      if (auto done = cursor.expect(":"); !done) return std::move(done).error();
      ASSIGN_OR_RETURN(const std::uint64_t end, cursor.number("where bytes end"));
      if (end <= run.first)
        return cursor.error(concat("an end behind ", run.first, " before this"));
      run.size_bytes = end - run.first;
      if (cursor.take(" step ")) {
        ASSIGN_OR_RETURN(run.stride_bytes, cursor.number("a stride"));
        if (auto done = cursor.expect(" x "); !done) return std::move(done).error();
        ASSIGN_OR_RETURN(run.count, cursor.number("a count"));
      }
      buffer.runs.push_back(run);
      more = cursor.take(", ");
      if (more) continue;
      if (auto done = cursor.expect("]"); !done) return std::move(done).error();
    }
    buffers.push_back(std::move(buffer));
  } while (cursor.take(", "));
  return buffers;
}

}  // namespace

bool have_place(std::string_view kind) {
  return std::find(kWithPlace.begin(), kWithPlace.end(), kind) != kWithPlace.end();
}

Result<Line> parse_line(Cursor& cursor) {
  Line line;
  const std::size_t start = cursor.place();
  auto kernel = cursor.name("a launch, or the kind of a record");
  if (kernel && cursor.rest().starts_with("<<<")) {
    ASSIGN_OR_RETURN(line.what, parse_launch(cursor, std::move(*kernel)));
  } else {
    cursor.go_to(start);
    const std::string_view word = cursor.word();
    if (word == "copy") {
      ASSIGN_OR_RETURN(line.what, parse_copy(cursor));
    } else if (word == "fill") {
      ASSIGN_OR_RETURN(line.what, parse_fill(cursor));
    } else if (word == "phase") {
      ASSIGN_OR_RETURN(line.what, parse_phase(cursor));
    } else if (is_other_kind(word)) {
      ASSIGN_OR_RETURN(line.what, parse_other(cursor, word));
    } else {
      cursor.go_to(start);
      return cursor.error("a launch, or the kind of a record");
    }
  }
  if (!cursor.take(" failed ")) return line;
  ASSIGN_OR_RETURN(const std::int64_t status, cursor.signed_number("a status"));
  line.status = static_cast<std::int32_t>(status);
  if (line.status != status) return cursor.error("a status of 32 bits before this");
  return line;
}

bool starts_accesses(std::string_view text) {
  return text.starts_with("reads ") || text.starts_with("writes ") ||
         text.starts_with("accesses ") || text.starts_with("node ");
}

Result<Accesses> parse_accesses(Cursor& cursor) {
  Accesses accesses;
  if (cursor.take("node ")) {
    ASSIGN_OR_RETURN(accesses.node, number32(cursor, "the place of a node"));
    if (auto done = cursor.expect(" "); !done) return std::move(done).error();
    ASSIGN_OR_RETURN(accesses.kernel, cursor.name("a kernel"));
    if (auto done = cursor.expect(" "); !done) return std::move(done).error();
  }
  if (cursor.take("accesses nothing")) return accesses;
  const bool reads = cursor.take("reads ");
  if (reads) {
    ASSIGN_OR_RETURN(accesses.reads, parse_buffers(cursor));
  }
  if (reads ? cursor.take("; writes ") : cursor.take("writes ")) {
    ASSIGN_OR_RETURN(accesses.writes, parse_buffers(cursor));
  } else if (!reads) {
    return cursor.error("reads, writes or accesses nothing");
  }
  return accesses;
}

}  // namespace compass::text
