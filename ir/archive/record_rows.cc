// SPDX-License-Identifier: MIT
#include "ir/archive/record_rows.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string_view>
#include <tuple>
#include <utility>
#include <variant>

#include "ir/archive/message.h"
#include "ir/archive/offsets.h"
#include "ir/archive/utf8.h"
#include "ir/replays.h"

namespace compass::archive {
namespace {

/// The thing that a record is about, besides its stream and step.
struct Subject {
  std::string_view kind;  ///< empty: nothing
  std::uint64_t id = 0;   ///< 0: none
};

struct SubjectOf {
  Subject operator()(const Allocate& body) const { return memory(body.allocation); }
  Subject operator()(const Free& body) const { return memory(body.allocation); }
  Subject operator()(const LaunchKernel& body) const { return {"launch", body.launch.value}; }
  Subject operator()(const CreateEvent& body) const { return {"event", body.event.value}; }
  Subject operator()(const DestroyEvent& body) const { return {"event", body.event.value}; }
  Subject operator()(const RecordEvent& body) const { return {"event", body.event.value}; }
  Subject operator()(const WaitEvent& body) const { return {"event", body.event.value}; }
  Subject operator()(const Synchronize& body) const { return {"event", body.event.value}; }
  Subject operator()(const LoadCodeObject& body) const { return code(body.code_object); }
  Subject operator()(const UnloadCodeObject& body) const { return code(body.code_object); }
  Subject operator()(const EndCapture& body) const { return {"graph", body.graph.value}; }
  Subject operator()(const DestroyGraph& body) const { return {"graph", body.graph.value}; }
  Subject operator()(const InstantiateGraph& body) const { return executable(body.executable); }
  Subject operator()(const UpdateExecutable& body) const { return executable(body.executable); }
  Subject operator()(const SetNode& body) const { return executable(body.executable); }
  Subject operator()(const EnableNode& body) const { return executable(body.executable); }
  Subject operator()(const LaunchGraph& body) const { return executable(body.executable); }
  Subject operator()(const DestroyExecutable& body) const { return executable(body.executable); }
  Subject operator()(const AllocateBlock& body) const { return memory(body.allocation); }
  Subject operator()(const FreeBlock& body) const { return memory(body.allocation); }
  Subject operator()(const DeclarePool& body) const { return memory(body.memory.allocation); }
  Subject operator()(const DeclareSentinel& body) const { return memory(body.memory.allocation); }
  Subject operator()(const ReportOutput& body) const { return memory(body.memory.allocation); }
  static Subject memory(AllocationId id) { return {"allocation", id.value}; }
  Subject operator()(const HostWrite& body) const {
    return {"allocation", body.place.allocation.value};
  }
  static Subject code(CodeObjectId id) { return {"code_object", id.value}; }
  static Subject executable(ExecutableId id) { return {"executable", id.value}; }
  template <class Other>
  Subject operator()(const Other&) const {
    return {};
  }
};

template <std::size_t... I>
std::vector<std::string_view> subjects_of_kinds(std::index_sequence<I...>) {
  return {SubjectOf{}(std::variant_alternative_t<I, RecordBody>{}).kind...};
}

/// Writes the records of one process in their order.
class RecordWriter {
 public:
  static Result<RecordWriter> create(const Database& database, const Recording& recording,
                                     RowCount& written) {
    ASSIGN_OR_RETURN(Statement record,
                     database.prepare("INSERT INTO record VALUES (?, ?, ?, ?, ?, ?, ?)"));
    ASSIGN_OR_RETURN(Statement context,
                     database.prepare("INSERT INTO context VALUES (?, ?, ?, ?, ?, ?, ?)"));
    ASSIGN_OR_RETURN(Statement transfer, database.prepare("INSERT INTO transfer VALUES "
                                                          "(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"));
    ASSIGN_OR_RETURN(Statement replay, database.prepare("INSERT INTO replay VALUES (?, ?)"));
    ASSIGN_OR_RETURN(Statement replayed,
                     database.prepare("INSERT INTO replayed_launch VALUES (?, ?, ?)"));
    return RecordWriter(recording, written,
                        {std::move(record), std::move(context), std::move(transfer),
                         std::move(replay), std::move(replayed)});
  }

  Result<void> write(const Record& record) {
    replays_.take(record);
    if (auto ok = write_row(record); !ok) return ok;
    if (const auto* copy = std::get_if<Copy>(&record.body)) return write_transfer(record, *copy);
    if (const auto* fill = std::get_if<Fill>(&record.body)) return write_transfer(record, *fill);
    const auto* const launch = std::get_if<LaunchGraph>(&record.body);
    if (launch == nullptr || record.captured || record.status != 0) return {};
    return write_replay(record, launch->executable);
  }

 private:
  struct Inserts {
    Statement record, context, transfer, replay, replayed;
  };
  /// Thread, stream, step, phase, captured.
  using Context = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, std::string, bool>;
  /// The launches that an executable graph ran last, as they stand in the archive.
  struct List {
    std::uint64_t id = 0;
    std::vector<std::uint64_t> nodes;
  };

  RecordWriter(const Recording& recording, RowCount& written, Inserts inserts)
      : recording_(recording),
        written_(written),
        insert_(std::move(inserts)),
        replays_(recording) {}

  std::uint64_t row_of(std::uint64_t sequence) const { return written_.records + sequence; }

  Result<void> write_row(const Record& record) {
    ASSIGN_OR_RETURN(const std::uint64_t context, context_of(record));
    insert_.record.bind(0, row_of(record.sequence))
        .bind(1, record.body.index())
        .bind(2, context)
        .bind(3, static_cast<std::uint32_t>(record.status));
    const Subject subject = std::visit(SubjectOf{}, record.body);
    if (subject.id != 0) insert_.record.bind(4, subject.id);
    Bytes offsets;
    std::string message;
    if (const auto* launch = std::get_if<LaunchKernel>(&record.body)) {
      offsets = encode_offsets(launch->offsets);
      if (!offsets.empty()) insert_.record.bind(5, ByteView(offsets));
    } else {
      message = encode(record);
      insert_.record.bind(6, as_byte_view(message));
    }
    return insert_.record.run();
  }

  Result<std::uint64_t> context_of(const Record& record) {
    Context context{record.thread.value, record.stream.value, record.step.value, record.phase,
                    record.captured};
    if (last_context_ != nullptr && last_context_->first == context) return last_context_->second;
    const auto [known, is_new] = contexts_.emplace(std::move(context), written_.contexts + 1);
    last_context_ = &*known;
    if (!is_new) return known->second;
    insert_.context.bind(0, ++written_.contexts)
        .bind(1, recording_.process.id.value)
        .bind(2, record.thread.value)
        .bind(3, record.stream.value)
        .bind(4, record.step.value)
        .bind(5, to_utf8(record.phase))
        .bind(6, record.captured ? 1 : 0);
    if (auto ok = insert_.context.run(); !ok) return std::move(ok).error();
    return written_.contexts;
  }

  void bind_place(int column, const MemoryRef& memory) {
    if (!memory.allocation) return;
    insert_.transfer.bind(column, memory.allocation.value).bind(column + 1, memory.offset_bytes);
  }
  void bind_content(int column, const std::string& content) {
    if (!content.empty()) insert_.transfer.bind(column, content);
  }
  Result<void> write_transfer(const Record& record, const Copy& copy) {
    insert_.transfer.bind(0, row_of(record.sequence))
        .bind(1, name_of(copy.direction))
        .bind(2, name_of(copy.wait))
        .bind(3, copy.size_bytes);
    bind_place(4, copy.destination);
    bind_place(6, copy.source);
    bind_content(8, copy.content);
    bind_content(9, copy.completed.source);
    bind_content(10, copy.completed.result);
    return insert_.transfer.run();
  }
  Result<void> write_transfer(const Record& record, const Fill& fill) {
    insert_.transfer.bind(0, row_of(record.sequence))
        .bind(2, name_of(fill.wait))
        .bind(3, fill.size_bytes);
    bind_place(4, fill.destination);
    return insert_.transfer.run();
  }

  /// Which launches of kernels a launch of a graph made. Launches that made the same share a list.
  Result<void> write_replay(const Record& record, ExecutableId executable) {
    const std::vector<std::uint64_t>& nodes = replays_.launches_of(executable);
    List& list = lists_[executable];
    if (list.id == 0 || list.nodes != nodes) {
      list = {++written_.lists, nodes};
      std::uint64_t position = 0;
      for (const std::uint64_t node : nodes) {
        insert_.replayed.bind(0, list.id).bind(1, ++position).bind(2, row_of(node));
        if (auto ok = insert_.replayed.run(); !ok) return ok;
      }
    }
    insert_.replay.bind(0, row_of(record.sequence)).bind(1, list.id);
    return insert_.replay.run();
  }

  const Recording& recording_;
  RowCount& written_;
  Inserts insert_;
  Replays replays_;
  std::map<Context, std::uint64_t> contexts_;
  const std::pair<const Context, std::uint64_t>* last_context_ = nullptr;
  std::map<ExecutableId, List> lists_;
};

}  // namespace

Result<void> write_record_kinds(const Database& database) {
  ASSIGN_OR_RETURN(Statement insert, database.prepare("INSERT INTO record_kind VALUES (?, ?, ?)"));
  const std::vector<std::string_view> subjects =
      subjects_of_kinds(std::make_index_sequence<std::variant_size_v<RecordBody>>());
  for (std::size_t kind = 0; kind < subjects.size(); ++kind) {
    insert.bind(0, kind).bind(1, record_kinds()[kind]);
    if (!subjects[kind].empty()) insert.bind(2, subjects[kind]);
    if (auto ok = insert.run(); !ok) return ok;
  }
  return {};
}

Result<void> write_records(const Database& database, const Recording& recording,
                           RowCount& written) {
  ASSIGN_OR_RETURN(RecordWriter writer, RecordWriter::create(database, recording, written));
  for (const Record& record : recording.records) {
    if (auto ok = writer.write(record); !ok) return ok;
  }
  written.records += recording.records.size();
  return {};
}

std::size_t pointers_of(const Launch& launch) {
  return static_cast<std::size_t>(
      std::count_if(launch.arguments.begin(), launch.arguments.end(),
                    [](const LaunchArgument& argument) { return argument.is_pointer; }));
}

}  // namespace compass::archive
