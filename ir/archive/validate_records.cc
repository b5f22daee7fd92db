// SPDX-License-Identifier: MIT
#include <algorithm>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <variant>

#include "ir/archive/validate_parts.h"

namespace compass::archive {
namespace {

Result<void> check_rows(const RowCounts& counts, std::uint64_t size_bytes) {
  if (counts.fits(size_bytes)) return {};
  return corrupt(concat("moves ", size_bytes, " bytes in ", counts.slices, " slices of ",
                        counts.rows, " rows"));
}

Result<void> check_content(const std::string& content) {
  if (content.empty() || is_sha256(content)) return {};
  return corrupt("names a content by something other than a SHA-256");
}

/// Checks records in their order, and counts what they create: with all of them there, what they
/// name of each other too.
class RecordChecker {
 public:
  RecordChecker(const Recording& recording, Extent extent)
      : recording_(recording), is_whole_(extent == Extent::kWhole) {}

  Result<void> check(const Record& record) {
    if (std::holds_alternative<CreateStream>(record.body)) ++streams_;
    if (std::holds_alternative<CreateEvent>(record.body)) ++events_;
    if (is_whole_ ? record.sequence != sequence_ + 1 : record.sequence <= sequence_) {
      return corrupt(concat("is numbered ", record.sequence));
    }
    sequence_ = record.sequence;
    if (!record.thread || (is_whole_ && record.thread.value > threads_ + 1)) {
      return corrupt(concat("names thread ", record.thread.value, " after ", threads_));
    }
    threads_ = std::max(threads_, record.thread.value);
    if (is_whole_ && record.stream.value > streams_) {
      return corrupt(concat("names stream ", record.stream.value, ", there are ", streams_));
    }
    if (record.step) {
      auto known = check_id(record.step, recording_.steps.size(), "step");
      if (!known) return known;
    }
    if (record.captured && !can_be_captured(record.body)) {
      return corrupt(concat("is the node of a graph, which a ", kind_of(record), " cannot be"));
    }
    return std::visit([this](const auto& body) { return check_body(body); }, record.body);
  }

 private:
  Result<void> event(EventId id) const {
    return is_whole_ ? check_id(id, events_, "event") : Result<void>();
  }

  /// What a node does is said by an earlier record. A launch that was captured is no node itself:
  /// its nodes are a child's.
  Result<void> node(std::uint64_t record) const {
    if (!is_whole_) return {};
    if (record != 0 && record < sequence_) {
      const Record& named = recording_.records[record - 1];
      if (named.captured && !std::holds_alternative<LaunchGraph>(named.body)) return {};
    }
    return corrupt(concat("names record ", record, " as what a node does"));
  }
  /// Counts what they run, with the children's.
  Result<void> nodes(const std::vector<GraphNode>& nodes) {
    std::uint64_t count = 0;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      if (auto known = node(nodes[i].record); !known) return known;
      const auto inside = inside_.find(nodes[i].record);
      count += inside == inside_.end() ? 1 : inside->second;
      for (const std::uint32_t before : nodes[i].after) {
        if (before >= i) return corrupt(concat("has node ", i, " after node ", before));
      }
    }
    if (count > kMostGraphNodes) return corrupt(concat("has ", count, " nodes"));
    inside_[sequence_] = count;
    return {};
  }
  Result<void> executable(ExecutableId id) const {
    return is_whole_ ? check_id(id, executables_.size(), "executable graph") : Result<void>();
  }
  Result<void> place(ExecutableId id, std::uint32_t place) const {
    if (auto known = executable(id); !known || !is_whole_) return known;
    if (place < executables_[id.value - 1]) return {};
    return corrupt(
        concat("names node ", place, " of a graph that has ", executables_[id.value - 1]));
  }

  enum class Memory : std::uint8_t { kAllocation, kBlock };
  Result<void> memory(AllocationId id, Memory expected) const {
    auto known = check_id(id, recording_.allocations.size(), "allocation");
    const bool is_block = known && recording_.allocation(id).parent;
    if (!known || is_block == (expected == Memory::kBlock)) return known;
    return corrupt(
        concat("names allocation ", id.value, ", which is ", is_block ? "a" : "no", " block"));
  }
  Result<void> check_body(const Allocate& body) const {
    return memory(body.allocation, Memory::kAllocation);
  }
  Result<void> check_body(const Free& body) const {
    return memory(body.allocation, Memory::kAllocation);
  }
  Result<void> check_body(const Copy& body) const {
    if (auto known = check_memory(recording_, body.destination); !known) return known;
    if (auto known = check_memory(recording_, body.source); !known) return known;
    if (auto fits = check_rows(body.counts, body.size_bytes); !fits) return fits;
    if (auto fits = check_completed(body.completed); !fits) return fits;
    return check_content(body.content);
  }
  static Result<void> check_completed(const CompletedCopy& completed) {
    if (auto fits = check_content(completed.source); !fits) return fits;
    return check_content(completed.result);
  }
  Result<void> check_body(const Fill& body) const {
    if (!Fill::is_width(body.value_bytes)) {
      return corrupt(concat("fills with a value of ", body.value_bytes, " bytes"));
    }
    if (auto fits = check_rows(body.counts, body.size_bytes); !fits) return fits;
    return check_memory(recording_, body.destination);
  }
  Result<void> check_body(const LaunchKernel& body) const {
    auto known = check_id(body.launch, recording_.launches.size(), "launch");
    if (!known || body.offsets.empty()) return known;
    std::size_t pointers = 0;
    for (const LaunchArgument& argument : recording_.launch(body.launch).arguments) {
      if (!argument.is_pointer) continue;
      if (pointers == body.offsets.size()) return wrong_offsets(body);
      const MemoryRef place{argument.memory.allocation, body.offsets[pointers++]};
      if (auto inside = check_memory(recording_, place); !inside) return inside;
    }
    return pointers == body.offsets.size() ? Result<void>() : wrong_offsets(body);
  }
  static Error wrong_offsets(const LaunchKernel& body) {
    return corrupt(concat("has ", body.offsets.size(), " offsets for another number of pointers"));
  }
  Result<void> check_body(const CreateStream&) const { return {}; }
  Result<void> check_body(const DestroyStream&) const { return {}; }
  Result<void> check_body(const CreateEvent& body) const { return event(body.event); }
  Result<void> check_body(const DestroyEvent& body) const { return event(body.event); }
  Result<void> check_body(const RecordEvent& body) const { return event(body.event); }
  Result<void> check_body(const WaitEvent& body) const { return event(body.event); }
  Result<void> check_body(const Synchronize& body) const {
    return body.scope == SyncScope::kEvent ? event(body.event) : Result<void>();
  }
  Result<void> check_body(const LoadCodeObject& body) const {
    return check_id(body.code_object, recording_.code_objects.size(), "code object");
  }
  Result<void> check_body(const UnloadCodeObject& body) const {
    return check_id(body.code_object, recording_.code_objects.size(), "code object");
  }
  Result<void> check_body(const BeginStep&) const { return {}; }
  Result<void> check_body(const EndStep&) const { return {}; }
  Result<void> check_body(const WaitValue& body) const {
    if (body.value_bytes != 4 && body.value_bytes != 8) {
      return corrupt(concat("waits for a value of ", body.value_bytes, " bytes"));
    }
    return check_memory(recording_, body.place);
  }
  Result<void> check_body(const BeginCapture&) const { return {}; }
  Result<void> check_body(const EndCapture& body) { return graph(body.graph); }
  Result<void> check_body(const DestroyGraph& body) { return graph(body.graph); }
  Result<void> check_body(const InstantiateGraph& body) {
    if (is_whole_ && body.executable.value != executables_.size() + 1) {
      return corrupt(concat("numbers an executable graph ", body.executable.value, ", there are ",
                            executables_.size()));
    }
    if (auto known = graph(body.graph); !known) return known;
    executables_.push_back(body.nodes.size());
    return nodes(body.nodes);
  }
  Result<void> check_body(const UpdateExecutable& body) {
    if (auto known = executable(body.executable); !known) return known;
    if (is_whole_ && body.nodes.size() != executables_[body.executable.value - 1]) {
      return corrupt(concat("gives ", body.nodes.size(), " nodes to a graph that has ",
                            executables_[body.executable.value - 1]));
    }
    return nodes(body.nodes);
  }
  Result<void> check_body(const SetNode& body) const {
    if (auto known = place(body.executable, body.node); !known) return known;
    return node(body.record);
  }
  Result<void> check_body(const EnableNode& body) const {
    return place(body.executable, body.node);
  }
  Result<void> check_body(const LaunchGraph& body) const {
    for (const NodeCopy& copy : body.copies) {
      if (auto known = node(copy.record); !known) return known;
      if (!std::holds_alternative<Copy>(recording_.records[copy.record - 1].body)) {
        return corrupt(concat("has the content of record ", copy.record, ", which is no copy"));
      }
      if (auto fits = check_content(copy.content); !fits) return fits;
      if (auto fits = check_completed(copy.completed); !fits) return fits;
    }
    return executable(body.executable);
  }
  Result<void> check_body(const DestroyExecutable& body) const {
    return executable(body.executable);
  }
  Result<void> check_body(const ChildNode& body) { return nodes(body.nodes); }
  Result<void> check_body(const EmptyNode&) const { return {}; }
  Result<void> check_body(const HostFunction&) const { return {}; }
  Result<void> check_body(const DeclarePool& body) const {
    return check_memory(recording_, body.memory);
  }
  Result<void> check_body(const DeclareSentinel& body) const {
    return check_memory(recording_, body.memory);
  }
  Result<void> check_body(const Sleep&) const { return {}; }
  Result<void> check_body(const Wake&) const { return {}; }
  Result<void> check_body(const ReportOutput& body) const {
    return check_memory(recording_, body.memory);
  }
  Result<void> check_body(const AllocateBlock& body) const {
    return memory(body.allocation, Memory::kBlock);
  }
  Result<void> check_body(const FreeBlock& body) const {
    return memory(body.allocation, Memory::kBlock);
  }
  Result<void> check_body(const HostWrite& body) const {
    if (auto known = check_memory(recording_, body.place); !known) return known;
    const MemoryRef& place = body.place;
    const std::uint64_t room_bytes =
        place.allocation ? recording_.allocation(place.allocation).size_bytes - place.offset_bytes
                         : 0;
    if (body.size_bytes > room_bytes) {
      return corrupt(concat("writes ", body.size_bytes, " bytes where there are ", room_bytes));
    }
    return check_content(body.content);
  }

  /// Graphs are numbered as they are first named.
  Result<void> graph(GraphId id) {
    if (is_whole_ && id.value > graphs_ + 1) {
      return corrupt(concat("names graph ", id.value, ", there are ", graphs_));
    }
    graphs_ = std::max(graphs_, id.value);
    return {};
  }

  const Recording& recording_;
  bool is_whole_;
  std::uint64_t sequence_ = 0;
  std::uint32_t threads_ = 0;
  std::uint32_t streams_ = 0;
  std::uint32_t events_ = 0;
  std::uint32_t graphs_ = 0;
  std::vector<std::size_t> executables_;                     ///< how many nodes each has
  std::unordered_map<std::uint64_t, std::uint64_t> inside_;  ///< nodes that a child runs, by record
};

}  // namespace

Result<void> check_records(const Recording& recording, Extent extent) {
  RecordChecker checker(recording, extent);
  for (std::size_t i = 0; i < recording.records.size(); ++i) {
    const Record& record = recording.records[i];
    auto fits = checker.check(record);
    const std::uint64_t place = extent == Extent::kWhole ? i + 1 : record.sequence;
    if (!fits) return std::move(fits).error().with(concat("record ", place));
  }
  return {};
}

}  // namespace compass::archive
