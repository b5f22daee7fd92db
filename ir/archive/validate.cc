// SPDX-License-Identifier: MIT
#include "ir/archive/validate.h"

#include <algorithm>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <variant>

#include "ir/archive/sha256.h"

namespace compass::archive {
namespace {

Error corrupt(std::string message) { return {ErrorCode::kCorrupt, std::move(message)}; }

template <class Tag>
Result<void> check_id(Id<Tag> id, std::size_t count, std::string_view what) {
  if (id && id.value <= count) return {};
  return corrupt(concat("names ", what, " ", id.value, ", there are ", count));
}

Result<void> check_memory(const Recording& recording, const MemoryRef& memory) {
  if (!memory.allocation) return {};
  const std::vector<Allocation>& all = recording.allocations;
  if (auto known = check_id(memory.allocation, all.size(), "allocation"); !known) return known;
  const std::uint64_t size = recording.allocation(memory.allocation).size_bytes;
  if (memory.offset_bytes <= size) return {};
  return corrupt(concat("names offset ", memory.offset_bytes, " of allocation ",
                        memory.allocation.value, ", which holds ", size, " bytes"));
}

Result<void> check_rows(const RowCounts& counts, std::uint64_t size_bytes) {
  if (counts.fits(size_bytes)) return {};
  return corrupt(concat("moves ", size_bytes, " bytes in ", counts.slices, " slices of ",
                        counts.rows, " rows"));
}

Result<void> check_content(const std::string& content) {
  if (content.empty() || is_sha256(content)) return {};
  return corrupt("names a content by something other than a SHA-256");
}

/// Whether the ids of `things` are 1, 2, …
template <class Thing>
Result<void> check_numbering(const std::vector<Thing>& things, std::string_view what) {
  for (std::size_t i = 0; i < things.size(); ++i) {
    if (things[i].id.value != i + 1) {
      return corrupt(concat(what, " ", i + 1, " is numbered ", things[i].id.value));
    }
  }
  return {};
}

Result<void> check_most(std::uint64_t bytes, std::uint64_t most, std::string_view what) {
  if (bytes <= most) return {};
  return corrupt(concat("has ", bytes, " bytes of ", what, ", at most ", most, " are allowed"));
}

Result<void> check_kernel(const Recording& recording, const Kernel& kernel) {
  auto known = check_id(kernel.code_object, recording.code_objects.size(), "code object");
  if (!known) return known;
  if (kernel.wavefront_size != 32 && kernel.wavefront_size != 64) {
    return corrupt(concat("has wavefronts of ", kernel.wavefront_size, " lanes"));
  }
  // Far above what any device has, and far below what hurts.
  constexpr std::uint32_t kMostKernargBytes = 1 << 20;
  constexpr std::uint32_t kMostLdsBytes = 1 << 24;
  constexpr std::uint32_t kMostScratchBytes = 1 << 24;
  if (auto ok = check_most(kernel.kernarg_size_bytes, kMostKernargBytes, "kernarg"); !ok) return ok;
  if (auto ok = check_most(kernel.lds_size_bytes, kMostLdsBytes, "LDS"); !ok) return ok;
  return check_most(kernel.scratch_size_bytes, kMostScratchBytes, "scratch");
}

Result<void> check_argument(const Recording& recording, const Launch& launch,
                            const LaunchArgument& argument) {
  const std::uint64_t end = std::uint64_t{argument.offset_bytes} + argument.size_bytes;
  const std::uint32_t segment = recording.kernel(launch.kernel).kernarg_size_bytes;
  if (end > segment) {
    return corrupt(
        concat("has an argument that ends at byte ", end, " of a kernarg segment of ", segment));
  }
  if (argument.is_pointer ? argument.size_bytes != 8
                          : argument.size_bytes != argument.bytes.size()) {
    return corrupt(concat("has an argument at byte ", argument.offset_bytes,
                          " whose value does not have its size of ", argument.size_bytes));
  }
  return check_memory(recording, argument.memory);
}

/// Ids are in order by now: those before it have been checked.
Result<void> check_block(const Recording& recording, const Allocation& block) {
  if (block.parent >= block.id) {
    return corrupt(concat("is a block of allocation ", block.parent.value));
  }
  const Allocation& parent = recording.allocation(block.parent);
  const std::uint64_t offset = block.address.value - parent.address.value;
  if (block.address >= parent.address && offset <= parent.size_bytes &&
      block.size_bytes <= parent.size_bytes - offset && block.kind == parent.kind) {
    return {};
  }
  return corrupt(
      concat("is a block of allocation ", block.parent.value, ", where it does not lie"));
}

Result<void> check_allocation(const Recording& recording, const Allocation& allocation) {
  if (allocation.parent) return check_block(recording, allocation);
  if (allocation.kind != AllocationKind::kGlobal) return {};
  return check_id(allocation.code_object, recording.code_objects.size(), "code object");
}

Result<void> check_launch(const Recording& recording, const Launch& launch) {
  auto known = check_id(launch.kernel, recording.kernels.size(), "kernel");
  if (!known) return known;
  for (const LaunchArgument& argument : launch.arguments) {
    if (auto fits = check_argument(recording, launch, argument); !fits) return fits;
  }
  return {};
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

Result<void> check_access(const Recording& recording, const AllocationAccess& access) {
  auto known = check_id(access.allocation, recording.allocations.size(), "allocation");
  if (!known) return known;
  const std::uint64_t size = recording.allocation(access.allocation).size_bytes;
  const bool is_empty = access.reads.empty() && access.writes.empty();
  if (!is_empty && are_canonical(access.reads, size) && are_canonical(access.writes, size)) {
    return {};
  }
  return corrupt(concat("has accesses to allocation ", access.allocation.value, " of ", size,
                        " bytes that are no set of its bytes"));
}

Result<void> check_summary(const Recording& recording, const AccessSummary& summary) {
  AllocationId before;
  for (const AllocationAccess& access : summary.allocations) {
    if (auto ok = check_access(recording, access); !ok) return ok;
    if (access.allocation <= before) return corrupt("does not have its allocations in order");
    before = access.allocation;
  }
  return {};
}

Result<void> check_accesses(const Recording& recording, Extent extent) {
  if (auto ok = check_numbering(recording.access_summaries, "access summary"); !ok) return ok;
  for (const AccessSummary& summary : recording.access_summaries) {
    auto ok = check_summary(recording, summary);
    if (!ok) return std::move(ok).error().with(concat("access summary ", summary.id.value));
  }
  LaunchAccesses before;
  for (const LaunchAccesses& launch : recording.launch_accesses) {
    const auto place = [&](Error error) {
      return std::move(error).with(concat("accesses of record ", launch.record));
    };
    auto known = check_id(launch.summary, recording.access_summaries.size(), "access summary");
    if (!known) return place(std::move(known).error());
    if (extent == Extent::kWhole && !names_launch(recording, launch.record, launch.node)) {
      return place(corrupt("are of no launch"));
    }
    if (std::tie(launch.record, launch.node) < std::tie(before.record, before.node)) {
      return place(corrupt("are not in order"));
    }
    before = launch;
  }
  return {};
}

Result<void> check_index(const Recording& recording, const LaunchIndex& index, Extent extent) {
  if (extent == Extent::kWhole && !names_launch(recording, index.record, index.node)) {
    return corrupt("are of no launch");
  }
  AllocationId before;
  for (const IndexContent& content : index.contents) {
    auto known = check_id(content.allocation, recording.allocations.size(), "allocation");
    if (!known) return known;
    const std::uint64_t size = recording.allocation(content.allocation).size_bytes;
    if (content.runs.empty() || !are_canonical(content.runs, size)) {
      return corrupt(concat("lie in allocation ", content.allocation.value, " of ", size,
                            " bytes in no set of its bytes"));
    }
    if (content.allocation <= before) return corrupt("do not have their allocations in order");
    if (!is_sha256(content.content)) return corrupt("are called by something other than a SHA-256");
    before = content.allocation;
  }
  return {};
}

Result<void> check_indices(const Recording& recording, Extent extent) {
  const LaunchIndex* before = nullptr;
  for (const LaunchIndex& index : recording.launch_indices) {
    auto ok = check_index(recording, index, extent);
    const bool is_behind = before == nullptr || std::tie(index.record, index.node) >=
                                                    std::tie(before->record, before->node);
    if (ok && !is_behind) ok = corrupt("are not in order");
    if (!ok) return std::move(ok).error().with(concat("index bytes of record ", index.record));
    before = &index;
  }
  return {};
}

/// Gaps that are no launches, or more of them than there are launches.
Result<void> check_coverage(const Recording& recording, Extent extent) {
  if (!recording.coverage) return {};
  const Coverage& coverage = *recording.coverage;
  if (coverage.gaps.size() > coverage.launches) {
    return corrupt(concat("the coverage lacks ", coverage.gaps.size(), " of ", coverage.launches,
                          " launches"));
  }
  const CoverageGap* before = nullptr;
  for (const CoverageGap& gap : coverage.gaps) {
    const bool is_launch =
        extent != Extent::kWhole || names_launch(recording, gap.record, gap.node);
    const bool is_behind = before == nullptr ||
                           std::tie(gap.record, gap.node) >= std::tie(before->record, before->node);
    if (!is_launch || !is_behind || gap.reason >= coverage.reasons.size()) {
      return corrupt(concat("the coverage of record ", gap.record,
                            !is_launch  ? " is of no launch"
                            : is_behind ? " has no reason"
                                        : " is not in order"));
    }
    before = &gap;
  }
  return {};
}

}  // namespace

bool names_launch(const Recording& recording, std::uint64_t record_sequence,
                  std::uint64_t node_sequence) {
  const auto find = [&](std::uint64_t sequence) {
    const bool is_record = sequence != 0 && sequence <= recording.records.size();
    return is_record ? &recording.records[sequence - 1] : nullptr;
  };
  const Record* const record = find(record_sequence);
  if (record == nullptr || record->captured) return false;
  if (node_sequence == 0) return std::holds_alternative<LaunchKernel>(record->body);
  const Record* const node = find(node_sequence);
  return std::holds_alternative<LaunchGraph>(record->body) && node != nullptr && node->captured &&
         std::holds_alternative<LaunchKernel>(node->body);
}

Result<void> validate(const Recording& recording, Extent extent) {
  if (auto ok = check_numbering(recording.code_objects, "code object"); !ok) return ok;
  if (auto ok = check_numbering(recording.kernels, "kernel"); !ok) return ok;
  if (auto ok = check_numbering(recording.allocations, "allocation"); !ok) return ok;
  if (auto ok = check_numbering(recording.launches, "launch"); !ok) return ok;
  if (auto ok = check_numbering(recording.steps, "step"); !ok) return ok;
  for (const CodeObject& code_object : recording.code_objects) {
    if (!is_sha256(code_object.sha256)) {
      return corrupt(concat("code object ", code_object.id.value, " has no SHA-256"));
    }
  }
  for (const Kernel& kernel : recording.kernels) {
    auto ok = check_kernel(recording, kernel);
    if (!ok) return std::move(ok).error().with(concat("kernel ", kernel.id.value));
  }
  for (const Allocation& allocation : recording.allocations) {
    auto ok = check_allocation(recording, allocation);
    if (!ok) return std::move(ok).error().with(concat("allocation ", allocation.id.value));
  }
  for (const FirstUse& use : recording.first_uses) {
    if (!use.kernel) continue;
    auto ok = check_id(use.kernel, recording.kernels.size(), "kernel");
    if (!ok) return std::move(ok).error().with("the first use of an allocation");
  }
  for (const Launch& launch : recording.launches) {
    auto ok = check_launch(recording, launch);
    if (!ok) return std::move(ok).error().with(concat("launch ", launch.id.value));
  }
  if (auto ok = check_records(recording, extent); !ok) return ok;
  if (auto ok = check_accesses(recording, extent); !ok) return ok;
  if (auto ok = check_indices(recording, extent); !ok) return ok;
  return check_coverage(recording, extent);
}

}  // namespace compass::archive
