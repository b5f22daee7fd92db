// SPDX-License-Identifier: MIT
#include "ir/text/headings.h"

#include <limits>

#include "ir/base/concat.h"

namespace compass::text {
namespace {

constexpr std::uint64_t kMost32 = std::numeric_limits<std::uint32_t>::max();
constexpr AllocationKind kKinds[] = {AllocationKind::kDevice, AllocationKind::kPinnedHost,
                                     AllocationKind::kManaged, AllocationKind::kGlobal};

std::string labelled(std::string_view label, const std::string& value) {
  return value.empty() ? std::string() : concat(' ', label, '=', value);
}

std::string name_or_nothing(const std::string& name) {
  return name.empty() ? std::string() : name_text(name);
}

std::string shape_text(const std::vector<std::int64_t>& shape) {
  std::string text;
  for (const std::int64_t size : shape) text += concat(text.empty() ? "" : "x", size);
  return text;
}

Result<std::uint32_t> number32(Cursor& cursor, std::string_view what) {
  ASSIGN_OR_RETURN(const std::uint64_t value, cursor.number(what, kMost32));
  return static_cast<std::uint32_t>(value);
}

/// What stands behind " LABEL=", or an empty name where that does not come next.
Result<std::string> labelled_name(Cursor& cursor, std::string_view label) {
  if (!cursor.take(concat(' ', label, '='))) return std::string();
  return cursor.name(concat("a ", label));
}

/// What goes on with a space behind the separator is not the list: ", as step 2".
bool takes_separator(Cursor& cursor, std::string_view separator) {
  return !cursor.rest().starts_with(concat(separator, ' ')) && cursor.take(separator);
}

/// The numbers behind " LABEL=", with `separator` between; none where that does not come next.
template <class Number>
Result<std::vector<Number>> labelled_list(Cursor& cursor, std::string_view label,
                                          std::string_view separator) {
  std::vector<Number> numbers;
  if (!cursor.take(concat(' ', label, '='))) return numbers;
  do {
    if constexpr (std::is_same_v<Number, std::int64_t>) {
      ASSIGN_OR_RETURN(const std::int64_t number, cursor.signed_number("a number"));
      numbers.push_back(number);
    } else {
      constexpr std::uint64_t kMost = std::numeric_limits<Number>::max();
      ASSIGN_OR_RETURN(const std::uint64_t number, cursor.number("a number", kMost));
      numbers.push_back(static_cast<Number>(number));
    }
  } while (takes_separator(cursor, separator));
  return numbers;
}

Result<AllocationKind> parse_allocation_kind(Cursor& cursor) {
  for (const AllocationKind kind : kKinds) {
    if (cursor.take(concat(' ', name_of(kind), ' '))) return kind;
  }
  return cursor.error("' device', ' pinned', ' managed' or ' global'");
}

}  // namespace

std::string process_text(const ProcessHeading& process) {
  const std::string rank = process.rank ? concat(" rank ", *process.rank) : std::string();
  return concat("process ", process.process, rank, ' ', name_text(process.program));
}

Result<ProcessHeading> parse_process(Cursor cursor) {
  ProcessHeading process;
  if (auto done = cursor.expect("process "); !done) return std::move(done).error();
  ASSIGN_OR_RETURN(process.process, number32(cursor, "the number of a process"));
  if (cursor.take(" rank ")) {
    ASSIGN_OR_RETURN(process.rank, number32(cursor, "a rank"));
  }
  if (auto done = cursor.expect(" "); !done) return std::move(done).error();
  ASSIGN_OR_RETURN(process.program, cursor.name("the name of a program"));
  if (auto done = cursor.expect_end(); !done) return std::move(done).error();
  return process;
}

std::string architecture_text(const std::string& architecture) {
  return architecture.empty() ? "architecture" : "architecture " + name_text(architecture);
}

Result<std::string> parse_architecture(Cursor cursor) {
  std::string architecture;
  if (auto done = cursor.expect("architecture"); !done) return std::move(done).error();
  if (cursor.take(" ")) {
    ASSIGN_OR_RETURN(architecture, cursor.name("an architecture"));
  }
  if (auto done = cursor.expect_end(); !done) return std::move(done).error();
  return architecture;
}

std::string kernel_text(const KernelLine& kernel) {
  std::string text = concat(name_text(kernel.name), ", wave", kernel.wavefront_size);
  if (kernel.lds_size_bytes != 0) text += concat(", lds ", kernel.lds_size_bytes, " B");
  return kernel.canonical.empty() ? text : concat(text, " = ", kernel.canonical);
}

Result<KernelLine> parse_kernel(Cursor cursor) {
  KernelLine kernel;
  ASSIGN_OR_RETURN(kernel.name, cursor.name("a kernel"));
  if (auto done = cursor.expect(", wave"); !done) return std::move(done).error();
  ASSIGN_OR_RETURN(kernel.wavefront_size, number32(cursor, "the size of a wavefront"));
  if (cursor.take(", lds ")) {
    ASSIGN_OR_RETURN(kernel.lds_size_bytes, number32(cursor, "a number of bytes of LDS"));
    if (auto done = cursor.expect(" B"); !done) return std::move(done).error();
  }
  if (cursor.take(" = ")) {
    kernel.canonical = cursor.rest();
  } else if (auto done = cursor.expect_end(); !done) {
    return std::move(done).error();
  }
  return kernel;
}

std::string buffer_text(const BufferLine& buffer) {
  const BufferInfo& info = buffer.info;
  return concat(
      name_text(buffer.name), ' ', name_of(buffer.kind), ' ', buffer.size_bytes, " B",
      labelled("role", name_or_nothing(info.role)), labelled("dtype", name_or_nothing(info.dtype)),
      labelled("shape", shape_text(info.shape)), labelled("strides", list_text(info.strides)),
      buffer.parent ? concat(" in ", place_text(*buffer.parent)) : std::string());
}

Result<BufferLine> parse_buffer(Cursor cursor) {
  BufferLine buffer;
  ASSIGN_OR_RETURN(buffer.name, cursor.name("a buffer"));
  ASSIGN_OR_RETURN(buffer.kind, parse_allocation_kind(cursor));
  ASSIGN_OR_RETURN(buffer.size_bytes, cursor.number("a number of bytes"));
  if (auto done = cursor.expect(" B"); !done) return std::move(done).error();
  ASSIGN_OR_RETURN(buffer.info.role, labelled_name(cursor, "role"));
  ASSIGN_OR_RETURN(buffer.info.dtype, labelled_name(cursor, "dtype"));
  ASSIGN_OR_RETURN(buffer.info.shape, labelled_list<std::int64_t>(cursor, "shape", "x"));
  ASSIGN_OR_RETURN(buffer.info.strides, labelled_list<std::int64_t>(cursor, "strides", ","));
  if (cursor.take(" in ")) {
    ASSIGN_OR_RETURN(buffer.parent, parse_place(cursor));
  }
  if (auto done = cursor.expect_end(); !done) return std::move(done).error();
  return buffer;
}

std::string step_text(const Step& step) {
  return concat("step ", step.id.value, ' ', name_text(step.kind), " real_rows=", step.real_rows,
                " padded_rows=", step.padded_rows,
                labelled("requests", list_text(step.request_ids)),
                labelled("positions", list_text(step.positions)),
                labelled("may_end", list_text(step.may_end)), step.produces_output ? " output" : "",
                step.deferred ? " deferred" : "");
}

Result<StepHeading> parse_step(Cursor cursor) {
  StepHeading heading;
  Step& step = heading.step;
  if (auto done = cursor.expect("step "); !done) return std::move(done).error();
  ASSIGN_OR_RETURN(step.id.value, number32(cursor, "the number of a step"));
  if (auto done = cursor.expect(" "); !done) return std::move(done).error();
  ASSIGN_OR_RETURN(step.kind, cursor.name("the kind of a step"));
  if (auto done = cursor.expect(" real_rows="); !done) return std::move(done).error();
  ASSIGN_OR_RETURN(step.real_rows, number32(cursor, "a number of rows"));
  if (auto done = cursor.expect(" padded_rows="); !done) return std::move(done).error();
  ASSIGN_OR_RETURN(step.padded_rows, number32(cursor, "a number of rows"));
  ASSIGN_OR_RETURN(step.request_ids, labelled_list<std::uint64_t>(cursor, "requests", ","));
  ASSIGN_OR_RETURN(step.positions, labelled_list<std::int64_t>(cursor, "positions", ","));
  ASSIGN_OR_RETURN(step.may_end, labelled_list<bool>(cursor, "may_end", ","));
  step.produces_output = cursor.take(" output");
  step.deferred = cursor.take(" deferred");
  if (cursor.take(", as step ")) {
    ASSIGN_OR_RETURN(const std::uint32_t same, number32(cursor, "the number of a step"));
    heading.same = StepId{same};
    cursor.take(" but");
  }
  if (auto done = cursor.expect_end(); !done) return std::move(done).error();
  return heading;
}

}  // namespace compass::text
