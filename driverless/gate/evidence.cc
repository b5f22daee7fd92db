// SPDX-License-Identifier: MIT
#include "driverless/gate/evidence.h"

#include <algorithm>
#include <limits>
#include <utility>
#include <variant>

#include "driverless/gate/statement.h"
#include "ir/replays.h"

namespace compass::gate {
namespace {

// Addresses below this come from null pointers, whatever allocation is nearest.
constexpr std::uint64_t kNullBytes = 65536;

// No index leads as far as this, as no device has so much memory.
constexpr std::uint64_t kFarBytes = std::uint64_t{1} << 40;

/// What an argument points to: an allocation, or, where there is none, nothing at its address.
struct Target {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
};

Target target_of(const Recording& recording, const MemoryRef& memory) {
  if (!memory.allocation) return {memory.offset_bytes, memory.offset_bytes};
  const Allocation& allocation = recording.allocation(memory.allocation);
  return {allocation.address.value, allocation.address.value + allocation.size_bytes};
}

/// How many bytes lie between an access and what an argument points to.
std::uint64_t distance(const Target& target, const Fault& fault) {
  if (fault.address.value >= target.end) return fault.address.value - target.end;
  const std::uint64_t access_end = fault.address.value + fault.size_bytes;
  return access_end <= target.begin ? target.begin - access_end : 0;
}

/// The argument that leads to the access: the one into the allocation that was freed, or, of those
/// that point nearest, the first that the access has passed, since indices that are too large are
/// more common than negative ones.
const LaunchArgument* blame(const Context& context, const Launch& launch, const Fault& fault) {
  const LaunchArgument* best = nullptr;
  std::uint64_t best_distance = std::numeric_limits<std::uint64_t>::max();
  bool best_is_past = false;
  for (const LaunchArgument& argument : launch.arguments) {
    if (!argument.is_pointer) continue;
    if (fault.kind == FaultKind::kUseAfterFree && fault.allocation) {
      if (context.root_of(argument.memory.allocation) == fault.allocation) return &argument;
      continue;
    }
    if (fault.address.value < kNullBytes && !argument.memory.is_null()) continue;
    const Target target = target_of(context.recording(), argument.memory);
    const std::uint64_t away = distance(target, fault);
    if (away > kFarBytes) continue;
    const bool is_past = fault.address.value >= target.begin;
    if (away > best_distance || (away == best_distance && (best_is_past || !is_past))) continue;
    best = &argument;
    best_distance = away;
    best_is_past = is_past;
  }
  return best;
}

void place_in(Place& place, const Context& context, AllocationId id) {
  if (!id) return;
  const Allocation& allocation = context.recording().allocation(id);
  place.allocation = id;
  place.buffer = context.names().label(id);
  place.buffer_bytes = allocation.size_bytes;
  if (!allocation.parent) return;
  const MemoryRef start = context.recording().in_root({id, 0});
  place.segment = start.allocation;
  place.segment_label = context.names().label(start.allocation);
  place.block_offset_bytes = start.offset_bytes;
  place.segment_bytes = context.recording().allocation(start.allocation).size_bytes;
}

/// Whether the block that `named` leads to, or the allocation itself, holds the byte `at`, which is
/// a place in memory that the runtime made.
bool leads_to(const Recording& recording, const MemoryRef& named, const MemoryRef& at) {
  if (!named.allocation || !at.allocation) return false;
  const MemoryRef start = recording.in_root({named.allocation, 0});
  return start.allocation == at.allocation && at.offset_bytes >= start.offset_bytes &&
         at.offset_bytes - start.offset_bytes < recording.allocation(named.allocation).size_bytes;
}

void set_argument(Place& place, const Kernel& kernel, const LaunchArgument& argument) {
  place.argument = argument_name(kernel, argument.offset_bytes);
  for (std::size_t i = 0; i < kernel.arguments.size(); ++i) {
    const bool starts_before = kernel.arguments[i].offset_bytes <= argument.offset_bytes;
    if (starts_before) place.argument_index = static_cast<std::uint32_t>(i);
  }
  if (!argument.memory.allocation) {
    place.pointee = argument.memory.is_null() ? Pointee::kNull : Pointee::kUnallocated;
  }
}

void place_globally(Place& place, const LaunchEvidence& evidence, const Fault& fault) {
  place.offset_bytes = static_cast<std::int64_t>(fault.address.value);
  const Launch launch = evidence.launch();
  const LaunchArgument* argument = blame(evidence.context, launch, fault);
  if (argument == nullptr && fault.address.value < kNullBytes) return;
  AllocationId id = fault.allocation;
  if (argument != nullptr) {
    set_argument(place, evidence.kernel(), *argument);
    id = argument->memory.allocation;
  }
  if (!id) return;
  place_in(place, evidence.context, id);
  const Allocation& allocation = evidence.context.recording().allocation(id);
  place.offset_bytes = static_cast<std::int64_t>(fault.address.value - allocation.address.value);
  if (fault.kind == FaultKind::kUseAfterFree) {
    place.freed_by = evidence.context.freed_by(id, evidence.record.sequence);
  }
}

/// What in a finding's id stands for its buffer.
std::string role_of(const Context& context, const Place& place) {
  if (!place.allocation) return place.buffer.empty() ? place.argument : place.buffer;
  const BufferInfo& info = context.recording().allocation(place.allocation).info;
  if (!info.role.empty()) return info.role;
  return info.name.empty() ? place.argument : info.name;
}

/// Where a copy or fill says that it reads or writes; null for other records.
MemoryRef named_by(const Record& record, AccessKind access) {
  if (const auto* fill = std::get_if<Fill>(&record.body)) return fill->destination;
  const auto* copy = std::get_if<Copy>(&record.body);
  if (copy == nullptr) return {};
  return access == AccessKind::kLoad ? copy->source : copy->destination;
}

/// The record that says what was done: of a graph's launch that of the node.
const Record& deed_of(const TransferEvidence& evidence) {
  return evidence.fault.node == 0 ? evidence.record : evidence.context.record(evidence.fault.node);
}

Finding finding_at(Place place, std::string_view rule, Level level, const Context& context,
                   std::string kernel, std::uint64_t accesses) {
  const Record& record = context.record(place.record);
  Finding finding;
  finding.rule = rule;
  finding.level = level;
  finding.kernel = std::move(kernel);
  finding.step_kind = context.step_kind(record);
  finding.phase = place.node == 0 ? record.phase : "replay";
  finding.accesses = accesses;
  finding.launches = 1;
  finding.role = role_of(context, place);
  finding.places.push_back(std::move(place));
  finding.id = stable_id(finding);
  if (finding.places.front().decision) finding.unit = "lane";
  finding.statement = statement_of(finding);
  return finding;
}

}  // namespace

Context::Context(const Recording& recording, const arch::Architecture* architecture)
    : recording_(recording),
      architecture_(architecture),
      names_(recording),
      ordinals_(recording.records.size()) {
  Replays replays(recording);
  for (const Record& record : recording.records) {
    replays.take(record);
    if (record.captured) continue;
    const std::size_t before = launches_.size();
    if (std::holds_alternative<LaunchKernel>(record.body)) {
      launches_.push_back({record.sequence, 0});
    }
    if (const auto* graph = std::get_if<LaunchGraph>(&record.body);
        graph != nullptr && record.status == 0) {
      for (const std::uint64_t node : replays.launches_of(graph->executable)) {
        launches_.push_back({record.sequence, node});
      }
      note_frees_of(replays.nodes_of(graph->executable), record.sequence);
    } else if (const auto* free = std::get_if<Free>(&record.body);
               free != nullptr && record.status == 0) {
      frees_.emplace(free->allocation, record.sequence);
    }
    if (launches_.size() != before) ordinals_.at(record.sequence - 1) = before + 1;
  }
}

/// Of memory that comes again with each launch, the first free stands for all.
void Context::note_frees_of(const std::vector<std::uint64_t>& nodes, std::uint64_t launch) {
  for (const std::uint64_t node : nodes) {
    const auto* free = std::get_if<Free>(&record(node).body);
    if (free != nullptr) frees_.emplace(free->allocation, launch);
  }
}

std::uint64_t Context::launch_ordinal(std::uint64_t record) const {
  return record == 0 || record > ordinals_.size() ? 0 : ordinals_[record - 1];
}

std::uint64_t Context::freed_by(AllocationId allocation, std::uint64_t record) const {
  const auto found = frees_.find(root_of(allocation));
  return found == frees_.end() || found->second >= record ? 0 : found->second;
}

std::string Context::step_kind(const Record& record) const {
  return record.step ? recording_.step(record.step).kind : std::string();
}

const LaunchKernel& LaunchEvidence::body() const {
  return std::get<LaunchKernel>((node == nullptr ? record : *node).body);
}

Launch LaunchEvidence::launch() const { return context.recording().launch_of(body()); }

bool LaunchEvidence::leaves_a_buffer() const {
  return std::any_of(faults.begin(), faults.end(), [](const FaultGroup& group) {
    return group.first.kind == FaultKind::kOutOfBounds &&
           group.first.space == AddressSpace::kGlobal;
  });
}

const Kernel& LaunchEvidence::kernel() const {
  const Recording& recording = context.recording();
  return recording.kernel(recording.launch(body().launch).kernel);
}

namespace {

Place place_of(const LaunchEvidence& evidence) {
  Place place;
  place.record = evidence.record.sequence;
  if (evidence.node != nullptr) place.node = evidence.node->sequence;
  place.launch = evidence.ordinal;
  place.step = evidence.record.step;
  return place;
}

}  // namespace

Place place_of(const RequestEvidence& evidence) {
  Place place;
  place.record = evidence.record.sequence;
  if (evidence.node != nullptr) place.node = evidence.node->sequence;
  place.launch = evidence.ordinal;
  place.step = evidence.record.step;
  place.status = evidence.record.status;
  place.has_lane = false;
  return place;
}

Place place_of(const LaunchEvidence& evidence, const TouchedAllocation& stray) {
  Place place = place_of(evidence);
  place.has_lane = false;
  const bool writes = !stray.extents.writes.empty();
  const Extent& first = writes ? stray.extents.writes.front() : stray.extents.reads.front();
  place.access = writes ? AccessKind::kStore : AccessKind::kLoad;
  place.size_bytes = first.end - first.begin;
  place.offset_bytes = static_cast<std::int64_t>(first.begin);
  place_in(place, evidence.context, stray.allocation);
  Fault fault;
  fault.address = evidence.context.recording().allocation(stray.allocation).address + first.begin;
  fault.size_bytes = 1;
  const Launch launch = evidence.launch();
  const LaunchArgument* const argument = blame(evidence.context, launch, fault);
  if (argument != nullptr) set_argument(place, evidence.kernel(), *argument);
  place.pointee = Pointee::kAllocation;
  return place;
}

Place place_of(const LaunchEvidence& evidence, const NonfiniteOrigin& origin) {
  Place place = place_of(evidence);
  place.access = AccessKind::kStore;
  place.workgroup = origin.workgroup;
  place.wavefront = origin.wavefront;
  place.lane = origin.lane;
  place.pc = origin.pc;
  place.instruction = origin.instruction;
  place.size_bytes = origin.size_bytes;
  place.offset_bytes = static_cast<std::int64_t>(origin.offset_bytes);
  place_in(place, evidence.context, origin.allocation);
  const Launch launch = evidence.launch();
  for (const LaunchArgument& argument : launch.arguments) {
    const MemoryRef at{origin.allocation, origin.offset_bytes};
    if (!leads_to(evidence.context.recording(), argument.memory, at)) continue;
    set_argument(place, evidence.kernel(), argument);
    place_in(place, evidence.context, argument.memory.allocation);
    place.offset_bytes -= static_cast<std::int64_t>(place.block_offset_bytes);
    break;
  }
  return place;
}

Place place_of(const LaunchEvidence& evidence, const Fault& fault) {
  Place place = place_of(evidence);
  place.fault = fault.kind;
  place.access = fault.access;
  place.space = fault.space;
  place.size_bytes = fault.size_bytes;
  place.workgroup = fault.workgroup;
  place.wavefront = fault.wavefront;
  place.lane = fault.lane;
  place.pc = fault.pc;
  place.instruction = fault.instruction;
  if (fault.space == AddressSpace::kGlobal) {
    place_globally(place, evidence, fault);
  } else {
    place.buffer = fault.space == AddressSpace::kLds ? "LDS" : "scratch";
    place.offset_bytes = static_cast<std::int64_t>(fault.address.value);
    place.buffer_bytes = fault.allocation_bytes;
  }
  return place;
}

Place place_of(const LaunchEvidence& evidence, const TaintedDecision& decision) {
  Place place = place_of(evidence);
  place.workgroup = decision.workgroup;
  place.wavefront = decision.wavefront;
  place.lane = decision.lane;
  place.pc = decision.pc;
  place.instruction = decision.instruction;
  place.decision = decision.decision;
  place.written_by = decision.origin_writer;
  if (!decision.has_origin) return place;
  place.origin_pc = decision.origin_pc;
  place.space = decision.origin_space;
  place.offset_bytes = static_cast<std::int64_t>(decision.origin_offset_bytes);
  if (place.space == AddressSpace::kLds) {
    place.buffer = "LDS";
    place.buffer_bytes = evidence.kernel().lds_size_bytes + evidence.launch().dynamic_lds_bytes;
  } else if (place.space == AddressSpace::kScratch) {
    place.buffer = "scratch";
    place.buffer_bytes = evidence.kernel().scratch_size_bytes;
  }
  place_in(place, evidence.context, decision.origin_allocation);
  const MemoryRef origin{decision.origin_allocation, decision.origin_offset_bytes};
  const Launch launch = evidence.launch();
  for (const LaunchArgument& argument : launch.arguments) {
    if (!leads_to(evidence.context.recording(), argument.memory, origin)) continue;
    set_argument(place, evidence.kernel(), argument);
    place_in(place, evidence.context, argument.memory.allocation);
    place.offset_bytes -= static_cast<std::int64_t>(place.block_offset_bytes);
    break;
  }
  return place;
}

Place place_of(const TransferEvidence& evidence) {
  Place place;
  place.record = evidence.record.sequence;
  place.node = evidence.fault.node;
  place.step = evidence.record.step;
  place.fault = evidence.fault.kind;
  place.access = evidence.fault.access;
  place.size_bytes = evidence.fault.size_bytes;
  place.argument = evidence.fault.access == AccessKind::kLoad ? "source" : "destination";
  if (std::holds_alternative<Free>(evidence.record.body)) place.argument = "pointer";
  place.offset_bytes = static_cast<std::int64_t>(evidence.fault.start.offset_bytes);
  place_in(place, evidence.context, evidence.fault.start.allocation);
  const AllocationId named = named_by(deed_of(evidence), evidence.fault.access).allocation;
  if (named && evidence.context.root_of(named) == place.allocation) {
    place_in(place, evidence.context, named);
    place.offset_bytes -= static_cast<std::int64_t>(place.block_offset_bytes);
  }
  if (!place.allocation) {
    place.pointee = evidence.fault.start.is_null() ? Pointee::kNull : Pointee::kUnallocated;
  }
  if (evidence.fault.kind == FaultKind::kUseAfterFree) {
    place.freed_by = evidence.context.freed_by(place.allocation, place.record);
  }
  return place;
}

std::vector<TransferFault> faults_of_request(const Context& context, const Record& record) {
  std::vector<TransferFault> faults;
  // False where the bytes are all right.
  const auto judge = [&](AccessKind access, const MemoryRef& place, std::uint64_t size_bytes) {
    TransferFault fault{FaultKind::kOutOfBounds, access, record.sequence, place, size_bytes, 0};
    if (place.allocation) {
      fault.allocation_bytes = context.recording().allocation(place.allocation).size_bytes;
      if (context.freed_by(place.allocation, record.sequence) != 0) {
        fault.kind = FaultKind::kUseAfterFree;
      } else if (place.offset_bytes <= fault.allocation_bytes &&
                 size_bytes <= fault.allocation_bytes - place.offset_bytes) {
        return false;
      }
    }
    faults.push_back(fault);
    return true;
  };
  // The first row that is wrong stands for all.
  const auto judge_rows = [&](AccessKind access, const MemoryRef& named, const RowCounts& counts,
                              const Pitches& pitches, std::uint64_t row_bytes) {
    const MemoryRef start = context.recording().in_root(named);
    bool is_told = false;
    for_each_row(counts, [&](std::uint64_t slice, std::uint64_t row) {
      const std::uint64_t offset = start.offset_bytes + pitches.offset_of(slice, row);
      is_told = is_told || judge(access, {start.allocation, offset}, row_bytes);
    });
  };
  if (const auto* copy = std::get_if<Copy>(&record.body)) {
    const bool from_device = copy->direction == CopyDirection::kDeviceToHost ||
                             copy->direction == CopyDirection::kDeviceToDevice;
    const bool to_device = copy->direction == CopyDirection::kHostToDevice ||
                           copy->direction == CopyDirection::kDeviceToDevice;
    if (copy->source.allocation || from_device) {
      judge_rows(AccessKind::kLoad, copy->source, copy->counts, copy->source_pitches,
                 copy->row_bytes());
    }
    if (copy->destination.allocation || to_device) {
      judge_rows(AccessKind::kStore, copy->destination, copy->counts, copy->destination_pitches,
                 copy->row_bytes());
    }
  } else if (const auto* fill = std::get_if<Fill>(&record.body)) {
    judge_rows(AccessKind::kStore, fill->destination, fill->counts, fill->pitches,
               fill->row_bytes());
  } else if (const auto* free = std::get_if<Free>(&record.body)) {
    judge(AccessKind::kStore, {free->allocation, 0}, 0);
  }
  return faults;
}

Finding finding_of(std::string_view rule, Level level, const LaunchEvidence& evidence,
                   const FaultGroup& group) {
  return finding_at(place_of(evidence, group.first), rule, level, evidence.context,
                    evidence.kernel().canonical, group.accesses);
}

Finding finding_of(std::string_view rule, Level level, const LaunchEvidence& evidence,
                   const DecisionGroup& group) {
  return finding_at(place_of(evidence, group.first), rule, level, evidence.context,
                    evidence.kernel().canonical, group.lanes);
}

Finding finding_of(std::string_view rule, Level level, const LaunchEvidence& evidence,
                   Place place) {
  return finding_at(std::move(place), rule, level, evidence.context, evidence.kernel().canonical,
                    1);
}

Finding finding_of(std::string_view rule, Level level, const RequestEvidence& evidence) {
  return finding_at(place_of(evidence), rule, level, evidence.context, evidence.kernel.canonical,
                    1);
}

Finding finding_of(std::string_view rule, Level level, const TransferEvidence& evidence) {
  return finding_at(place_of(evidence), rule, level, evidence.context,
                    std::string(kind_of(deed_of(evidence))), 1);
}

Finding finding_of(std::string_view rule, Level level, const FailedCallEvidence& evidence) {
  Place place;
  place.record = evidence.record.sequence;
  place.step = evidence.record.step;
  place.status = evidence.record.status;
  const auto* launch = std::get_if<LaunchKernel>(&evidence.record.body);
  std::string kernel(kind_of(evidence.record));
  if (launch != nullptr) {
    const Recording& recording = evidence.context.recording();
    kernel = recording.kernel(recording.launch(launch->launch).kernel).canonical;
  }
  return finding_at(place, rule, level, evidence.context, std::move(kernel), 1);
}

Finding finding_of(std::string_view rule, Level level, const ReportEvidence& evidence) {
  Place place;
  place.record = evidence.record.sequence;
  place.step = evidence.record.step;
  place.access = AccessKind::kLoad;
  place.size_bytes = evidence.report.size_bytes;
  place.offset_bytes = static_cast<std::int64_t>(evidence.report.memory.offset_bytes);
  place_in(place, evidence.context, evidence.report.memory.allocation);
  return finding_at(place, rule, level, evidence.context, std::string(kind_of(evidence.record)), 1);
}

}  // namespace compass::gate
