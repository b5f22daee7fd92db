// SPDX-License-Identifier: MIT
#include "ir/archive/rows.h"

#include <algorithm>
#include <variant>

#include "ir/archive/message.h"
#include "ir/replays.h"

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

Result<void> write_device(const Database& database, const Recording& recording) {
  ASSIGN_OR_RETURN(Statement insert,
                   database.prepare("INSERT INTO recording VALUES (1, ?, ?, ?, ?, ?)"));
  const std::string device = encode(recording.device);
  insert.bind(0, recording.program)
      .bind(1, recording.device.architecture)
      .bind(2, flag(recording.complete))
      .bind(3, recording.incomplete_cause)
      .bind(4, as_byte_view(device));
  return insert.run();
}

Result<void> write_code_objects(const Database& database, const Recording& recording) {
  ASSIGN_OR_RETURN(Statement insert,
                   database.prepare("INSERT INTO code_object VALUES (?, ?, ?, ?, ?)"));
  for (const CodeObject& code_object : recording.code_objects) {
    const std::string message = encode(code_object);
    insert.bind(0, code_object.id.value)
        .bind(1, code_object.sha256)
        .bind(2, code_object.target)
        .bind(3, code_object.size_bytes)
        .bind(4, as_byte_view(message));
    if (auto ok = insert.run(); !ok) return ok;
  }
  return {};
}

Result<void> write_kernels(const Database& database, const Recording& recording) {
  ASSIGN_OR_RETURN(Statement insert, database.prepare("INSERT INTO kernel VALUES "
                                                      "(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"));
  for (const Kernel& kernel : recording.kernels) {
    const std::string message = encode(kernel);
    insert.bind(0, kernel.id.value)
        .bind(1, kernel.code_object.value)
        .bind(2, kernel.name)
        .bind(3, kernel.canonical)
        .bind(4, kernel.kernarg_size_bytes)
        .bind(5, kernel.lds_size_bytes)
        .bind(6, kernel.scratch_size_bytes)
        .bind(7, kernel.wavefront_size)
        .bind(8, kernel.vgpr_count)
        .bind(9, kernel.agpr_count)
        .bind(10, kernel.sgpr_count)
        .bind(11, as_byte_view(message));
    if (auto ok = insert.run(); !ok) return ok;
  }
  return {};
}

Result<void> write_allocations(const Database& database, const Recording& recording) {
  ASSIGN_OR_RETURN(Statement insert,
                   database.prepare("INSERT INTO allocation VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"));
  for (const Allocation& allocation : recording.allocations) {
    const std::string message = encode(allocation);
    insert.bind(0, allocation.id.value)
        .bind(1, name_of(allocation.kind))
        .bind(2, allocation.size_bytes)
        .bind(3, allocation.generation)
        .bind(4, allocation.info.name)
        .bind(5, allocation.info.role)
        .bind(6, allocation.info.dtype)
        .bind(7, joined(allocation.info.shape, 'x'))
        .bind(8, as_byte_view(message));
    if (auto ok = insert.run(); !ok) return ok;
  }
  return {};
}

/// The source's name of the argument at that offset; empty where the compiler kept none.
std::string argument_name(const Kernel& kernel, std::uint32_t offset_bytes) {
  for (const KernelArgument& argument : kernel.arguments) {
    if (argument.offset_bytes == offset_bytes) return argument.name;
  }
  return {};
}

Result<void> write_arguments(Statement& insert, const Kernel& kernel, const Launch& launch) {
  std::uint64_t ordinal = 0;
  for (const LaunchArgument& argument : launch.arguments) {
    insert.bind(0, launch.id.value)
        .bind(1, ordinal++)
        .bind(2, argument_name(kernel, argument.offset_bytes))
        .bind(3, argument.offset_bytes)
        .bind(4, argument.size_bytes);
    if (argument.is_pointer && argument.memory.allocation) {
      insert.bind(5, argument.memory.allocation.value).bind(6, argument.memory.offset_bytes);
    }
    if (!argument.is_pointer) insert.bind(7, ByteView(argument.bytes));
    if (auto ok = insert.run(); !ok) return ok;
  }
  return {};
}

Result<void> write_launches(const Database& database, const Recording& recording) {
  ASSIGN_OR_RETURN(Statement insert, database.prepare("INSERT INTO launch VALUES "
                                                      "(?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"));
  ASSIGN_OR_RETURN(Statement insert_argument,
                   database.prepare("INSERT INTO launch_argument VALUES (?, ?, ?, ?, ?, ?, ?, ?)"));
  for (const Launch& launch : recording.launches) {
    const std::string message = encode(launch);
    insert.bind(0, launch.id.value).bind(1, launch.kernel.value);
    for (int i = 0; i < 3; ++i) {
      insert.bind(2 + i, launch.grid_workgroups[static_cast<std::size_t>(i)])
          .bind(5 + i, launch.workgroup_workitems[static_cast<std::size_t>(i)]);
    }
    insert.bind(8, launch.dynamic_lds_bytes).bind(9, as_byte_view(message));
    if (auto ok = insert.run(); !ok) return ok;
    auto ok = write_arguments(insert_argument, recording.kernel(launch.kernel), launch);
    if (!ok) return ok;
  }
  return {};
}

Result<void> write_steps(const Database& database, const Recording& recording) {
  ASSIGN_OR_RETURN(Statement insert,
                   database.prepare("INSERT INTO step VALUES (?, ?, ?, ?, ?, ?, ?, ?)"));
  for (const Step& step : recording.steps) {
    const std::string message = encode(step);
    insert.bind(0, step.id.value)
        .bind(1, step.kind)
        .bind(2, flag(step.produces_output))
        .bind(3, flag(step.deferred))
        .bind(4, step.real_rows)
        .bind(5, step.padded_rows)
        .bind(6, joined(step.request_ids, ','))
        .bind(7, as_byte_view(message));
    if (auto ok = insert.run(); !ok) return ok;
  }
  return {};
}

/// Parameters of a row of the table record, in its order.
enum Column : int {
  kSequence,
  kKind,
  kThread,
  kStream,
  kStep,
  kPhase,
  kStatus,
  kLaunch,
  kAllocation,
  kEvent,
  kCodeObject,
  kDirection,
  kWait,
  kDestination,
  kDestinationOffset,
  kSource,
  kSourceOffset,
  kSizeBytes,
  kContent,
  kCaptured,
  kExecutable,
  kMessage,
};

/// Binds the columns that a kind of record has; the others stay null.
struct ColumnBinder {
  Statement& insert;

  void memory(Column column, const MemoryRef& memory) const {
    if (!memory.allocation) return;
    insert.bind(column, memory.allocation.value).bind(column + 1, memory.offset_bytes);
  }
  void operator()(const Allocate& body) const { insert.bind(kAllocation, body.allocation.value); }
  void operator()(const Free& body) const { insert.bind(kAllocation, body.allocation.value); }
  void operator()(const Copy& body) const {
    insert.bind(kDirection, name_of(body.direction)).bind(kWait, name_of(body.wait));
    memory(kDestination, body.destination);
    memory(kSource, body.source);
    insert.bind(kSizeBytes, body.size_bytes);
    if (!body.content.empty()) insert.bind(kContent, body.content);
  }
  void operator()(const Fill& body) const {
    insert.bind(kWait, name_of(body.wait)).bind(kSizeBytes, body.size_bytes);
    memory(kDestination, body.destination);
  }
  void operator()(const LaunchKernel& body) const { insert.bind(kLaunch, body.launch.value); }
  void operator()(const CreateEvent& body) const { insert.bind(kEvent, body.event.value); }
  void operator()(const DestroyEvent& body) const { insert.bind(kEvent, body.event.value); }
  void operator()(const RecordEvent& body) const { insert.bind(kEvent, body.event.value); }
  void operator()(const WaitEvent& body) const { insert.bind(kEvent, body.event.value); }
  void operator()(const Synchronize& body) const {
    if (body.event) insert.bind(kEvent, body.event.value);
  }
  void operator()(const LoadCodeObject& body) const {
    insert.bind(kCodeObject, body.code_object.value);
  }
  void operator()(const UnloadCodeObject& body) const {
    insert.bind(kCodeObject, body.code_object.value);
  }
  void operator()(const WaitValue& body) const {
    insert.bind(kSizeBytes, body.value_bytes);
    memory(kSource, body.place);
  }
  void operator()(const DeclarePool& body) const { memory(kSource, body.memory); }
  void operator()(const DeclareSentinel& body) const { memory(kSource, body.memory); }
  void operator()(const ReportOutput& body) const {
    insert.bind(kSizeBytes, body.size_bytes);
    memory(kSource, body.memory);
  }
  void operator()(const AllocateBlock& body) const {
    insert.bind(kAllocation, body.allocation.value);
  }
  void operator()(const FreeBlock& body) const { insert.bind(kAllocation, body.allocation.value); }
  void operator()(const InstantiateGraph& body) const { executable(body.executable); }
  void operator()(const UpdateExecutable& body) const { executable(body.executable); }
  void operator()(const SetNode& body) const { executable(body.executable); }
  void operator()(const EnableNode& body) const { executable(body.executable); }
  void operator()(const LaunchGraph& body) const { executable(body.executable); }
  void operator()(const DestroyExecutable& body) const { executable(body.executable); }
  void executable(ExecutableId id) const { insert.bind(kExecutable, id.value); }
  template <class Other>
  void operator()(const Other&) const {}
};

/// Which launches of kernels a launch of a graph made.
Result<void> write_replayed(Statement& insert, const Record& record, Replays& replays) {
  replays.take(record);
  const auto* const launch = std::get_if<LaunchGraph>(&record.body);
  if (launch == nullptr || record.captured || record.status != 0) return {};
  std::uint64_t position = 0;
  for (const std::uint64_t node : replays.launches_of(launch->executable)) {
    insert.bind(0, record.sequence).bind(1, ++position).bind(2, node);
    if (auto ok = insert.run(); !ok) return ok;
  }
  return {};
}

Result<void> write_records(const Database& database, const Recording& recording) {
  ASSIGN_OR_RETURN(
      Statement insert,
      database.prepare("INSERT INTO record VALUES "
                       "(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"));
  ASSIGN_OR_RETURN(Statement insert_replayed,
                   database.prepare("INSERT INTO replayed_launch VALUES (?, ?, ?)"));
  Replays replays(recording);
  for (const Record& record : recording.records) {
    const std::string message = encode(record);
    insert.bind(kSequence, record.sequence)
        .bind(kKind, kind_of(record))
        .bind(kThread, record.thread.value)
        .bind(kStream, record.stream.value)
        .bind(kStep, record.step.value)
        .bind(kPhase, record.phase)
        .bind(kStatus, static_cast<std::uint32_t>(record.status))
        .bind(kCaptured, flag(record.captured));
    std::visit(ColumnBinder{insert}, record.body);
    insert.bind(kMessage, as_byte_view(message));
    if (auto ok = insert.run(); !ok) return ok;
    if (auto ok = write_replayed(insert_replayed, record, replays); !ok) return ok;
  }
  return {};
}

}  // namespace

Result<void> write_rows(const Database& database, const Recording& recording) {
  if (auto ok = write_device(database, recording); !ok) return ok;
  if (auto ok = write_code_objects(database, recording); !ok) return ok;
  if (auto ok = write_kernels(database, recording); !ok) return ok;
  if (auto ok = write_allocations(database, recording); !ok) return ok;
  if (auto ok = write_launches(database, recording); !ok) return ok;
  if (auto ok = write_steps(database, recording); !ok) return ok;
  return write_records(database, recording);
}

}  // namespace compass::archive
