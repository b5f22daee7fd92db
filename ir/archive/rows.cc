// SPDX-License-Identifier: MIT
#include "ir/archive/rows.h"

#include <algorithm>

#include "ir/archive/access_rows.h"
#include "ir/archive/coverage_rows.h"
#include "ir/archive/message.h"
#include "ir/archive/record_rows.h"
#include "ir/archive/utf8.h"
#include "ir/names.h"
#include "ir/tally.h"

namespace compass::archive {
namespace {

/// Numbers with `separator` between them, as people read shapes and lists of requests.
template <class Number>
std::string joined(const std::vector<Number>& numbers, char separator) {
  std::string text;
  for (const Number number : numbers) {
    if (!text.empty()) text += separator;
    text += std::to_string(number);
  }
  return text;
}

std::uint64_t flag(bool value) { return value ? 1 : 0; }

std::uint64_t process_of(const Recording& recording) { return recording.process.id.value; }

Result<void> write_process_row(const Database& database, const Recording& recording,
                               std::uint64_t records_before) {
  ASSIGN_OR_RETURN(
      Statement insert,
      database.prepare("INSERT INTO process VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"));
  const std::string message = encode_process(recording);
  const ProcessInfo& process = recording.process;
  insert.bind(0, process.id.value);
  if (process.parent) insert.bind(1, process.parent.value);
  insert.bind(2, process.rank)
      .bind(3, process.ranks)
      .bind(4, to_utf8(recording.program))
      .bind(5, to_utf8(recording.device.architecture))
      .bind(6, flag(recording.complete))
      .bind(7, to_utf8(recording.incomplete_cause))
      .bind(8, records_before + 1)
      .bind(9, recording.records.size())
      .bind(10, as_byte_view(message));
  return insert.run();
}

Result<void> write_code_objects(const Database& database, const Recording& recording) {
  ASSIGN_OR_RETURN(Statement insert,
                   database.prepare("INSERT INTO code_object VALUES (?, ?, ?, ?, ?, ?)"));
  for (const CodeObject& code_object : recording.code_objects) {
    const std::string message = encode(code_object);
    insert.bind(0, process_of(recording))
        .bind(1, code_object.id.value)
        .bind(2, code_object.sha256)
        .bind(3, to_utf8(code_object.target))
        .bind(4, code_object.size_bytes)
        .bind(5, as_byte_view(message));
    if (auto ok = insert.run(); !ok) return ok;
  }
  return {};
}

Result<void> write_kernels(const Database& database, const Recording& recording) {
  ASSIGN_OR_RETURN(Statement insert, database.prepare("INSERT INTO kernel VALUES "
                                                      "(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"));
  for (const Kernel& kernel : recording.kernels) {
    const std::string message = encode(kernel);
    insert.bind(0, process_of(recording))
        .bind(1, kernel.id.value)
        .bind(2, kernel.code_object.value)
        .bind(3, to_utf8(kernel.name))
        .bind(4, to_utf8(kernel.canonical))
        .bind(5, kernel.kernarg_size_bytes)
        .bind(6, kernel.lds_size_bytes)
        .bind(7, kernel.scratch_size_bytes)
        .bind(8, kernel.wavefront_size)
        .bind(9, kernel.vgpr_count)
        .bind(10, kernel.agpr_count)
        .bind(11, kernel.sgpr_count)
        .bind(12, as_byte_view(message));
    if (auto ok = insert.run(); !ok) return ok;
  }
  return {};
}

FirstUse first_use_of(const Recording& recording, AllocationId id) {
  return id.value <= recording.first_uses.size() ? recording.first_uses[id.value - 1] : FirstUse{};
}

Result<void> write_allocations(const Database& database, const Recording& recording,
                               const Tally& tally) {
  ASSIGN_OR_RETURN(
      Statement insert,
      database.prepare(
          "INSERT INTO allocation VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"));
  const Names names(recording);
  for (const Allocation& allocation : recording.allocations) {
    const std::string message = encode(allocation);
    insert.bind(0, process_of(recording))
        .bind(1, allocation.id.value)
        .bind(2, to_utf8(names.buffer(allocation.id)))
        .bind(3, name_of(allocation.kind))
        .bind(4, allocation.size_bytes)
        .bind(5, allocation.generation)
        .bind(7, to_utf8(allocation.info.role))
        .bind(8, to_utf8(allocation.info.dtype))
        .bind(9, joined(allocation.info.shape, 'x'));
    if (allocation.parent) insert.bind(6, allocation.parent.value);
    const Lifetime& lifetime = tally.lifetimes[allocation.id.value - 1];
    if (lifetime.allocated_by != 0) insert.bind(10, lifetime.allocated_by);
    if (lifetime.freed_by != 0) insert.bind(11, lifetime.freed_by);
    if (const FirstUse use = first_use_of(recording, allocation.id); use.kernel) {
      insert.bind(12, use.kernel.value).bind(13, use.offset_bytes);
    }
    insert.bind(14, as_byte_view(message));
    if (auto ok = insert.run(); !ok) return ok;
  }
  return {};
}

/// The source's name of the argument at that offset; empty where the compiler kept none.
std::string source_name(const Kernel& kernel, std::uint32_t offset_bytes) {
  for (const KernelArgument& argument : kernel.arguments) {
    if (argument.offset_bytes == offset_bytes) return to_utf8(argument.name);
  }
  return {};
}

Result<void> write_arguments(Statement& insert, const Recording& recording, const Launch& launch) {
  const Kernel& kernel = recording.kernel(launch.kernel);
  std::uint64_t ordinal = 0;
  std::uint64_t pointer = 0;
  for (const LaunchArgument& argument : launch.arguments) {
    insert.bind(0, process_of(recording))
        .bind(1, launch.id.value)
        .bind(2, ordinal++)
        .bind(3, source_name(kernel, argument.offset_bytes))
        .bind(4, argument.offset_bytes)
        .bind(5, argument.size_bytes);
    if (argument.is_pointer) insert.bind(6, pointer++);
    if (argument.is_pointer && argument.memory.allocation) {
      insert.bind(7, argument.memory.allocation.value).bind(8, argument.memory.offset_bytes);
    }
    if (!argument.is_pointer) insert.bind(9, ByteView(argument.bytes));
    if (auto ok = insert.run(); !ok) return ok;
  }
  return {};
}

Result<void> write_launches(const Database& database, const Recording& recording,
                            const Tally& tally) {
  ASSIGN_OR_RETURN(Statement insert, database.prepare("INSERT INTO launch VALUES "
                                                      "(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"));
  ASSIGN_OR_RETURN(
      Statement insert_argument,
      database.prepare("INSERT INTO launch_argument VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"));
  for (const Launch& launch : recording.launches) {
    const std::string message = encode(launch);
    insert.bind(0, process_of(recording)).bind(1, launch.id.value).bind(2, launch.kernel.value);
    for (int i = 0; i < 3; ++i) {
      insert.bind(3 + i, launch.grid_workgroups[static_cast<std::size_t>(i)])
          .bind(6 + i, launch.workgroup_workitems[static_cast<std::size_t>(i)]);
    }
    insert.bind(9, launch.dynamic_lds_bytes)
        .bind(10, pointers_of(launch))
        .bind(11, tally.launches[launch.id.value - 1])
        .bind(12, as_byte_view(message));
    if (auto ok = insert.run(); !ok) return ok;
    if (auto ok = write_arguments(insert_argument, recording, launch); !ok) return ok;
  }
  return {};
}

Result<void> write_steps(const Database& database, const Recording& recording, const Tally& tally) {
  ASSIGN_OR_RETURN(
      Statement insert,
      database.prepare("INSERT INTO step VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"));
  for (const Step& step : recording.steps) {
    const std::string message = encode(step);
    const StepTally& made = tally.steps[step.id.value - 1];
    insert.bind(0, process_of(recording))
        .bind(1, step.id.value)
        .bind(2, to_utf8(step.kind))
        .bind(3, flag(step.produces_output))
        .bind(4, flag(step.deferred))
        .bind(5, step.real_rows)
        .bind(6, step.padded_rows)
        .bind(7, joined(step.request_ids, ','))
        .bind(8, made.launches);
    if (made.first_record != 0) insert.bind(9, made.first_record).bind(10, made.last_record);
    insert.bind(11, as_byte_view(message));
    if (auto ok = insert.run(); !ok) return ok;
  }
  return {};
}

Result<void> write_record_counts(const Database& database, const Recording& recording,
                                 const Tally& tally) {
  ASSIGN_OR_RETURN(Statement insert,
                   database.prepare("INSERT INTO record_count VALUES (?, ?, ?, ?)"));
  for (std::size_t kind = 0; kind < tally.kinds.size(); ++kind) {
    const KindTally& count = tally.kinds[kind];
    if (count.records == 0) continue;
    insert.bind(0, process_of(recording))
        .bind(1, kind)
        .bind(2, count.records)
        .bind(3, count.failed);
    if (auto ok = insert.run(); !ok) return ok;
  }
  return {};
}

/// A row where there are any.
Result<void> write_given_up(const Database& database, const Recording& recording) {
  if (recording.given_up.count == 0) return {};
  ASSIGN_OR_RETURN(Statement insert, database.prepare("INSERT INTO given_up VALUES (?, ?, ?)"));
  insert.bind(0, process_of(recording))
      .bind(1, recording.given_up.count)
      .bind(2, recording.given_up.size_bytes);
  return insert.run();
}

}  // namespace

Result<void> write_recording(const Database& database, const Recording& recording,
                             RowCount& written) {
  const std::uint64_t records_before = written.records;
  const Tally tally = tally_of(recording);
  auto ok = write_records(database, recording, written);
  if (ok) ok = write_process_row(database, recording, records_before);
  if (ok) ok = write_code_objects(database, recording);
  if (ok) ok = write_kernels(database, recording);
  if (ok) ok = write_allocations(database, recording, tally);
  if (ok) ok = write_launches(database, recording, tally);
  if (ok) ok = write_steps(database, recording, tally);
  if (ok) ok = write_record_counts(database, recording, tally);
  if (ok) ok = write_accesses(database, recording, records_before);
  if (ok) ok = write_given_up(database, recording);
  if (ok) ok = write_coverage(database, recording, records_before);
  return ok;
}

}  // namespace compass::archive
