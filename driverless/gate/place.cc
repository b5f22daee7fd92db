// SPDX-License-Identifier: MIT
#include "driverless/gate/place.h"

#include <utility>
#include <variant>

#include "driverless/gate/blame.h"

namespace compass::gate {
namespace {

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

/// By the argument that leads to `at`, a place in memory that the runtime made, if one does.
void place_by_argument(Place& place, const LaunchEvidence& evidence, const MemoryRef& at) {
  const Launch launch = evidence.launch();
  for (const LaunchArgument& argument : launch.arguments) {
    if (!leads_to(evidence.context.recording(), argument.memory, at)) continue;
    set_argument(place, evidence.kernel(), argument);
    place_in(place, evidence.context, argument.memory.allocation);
    place.offset_bytes -= static_cast<std::int64_t>(place.block_offset_bytes);
    return;
  }
}

/// The argument that led to the access: the one that is known to, or the one that most likely did.
const LaunchArgument* argument_of(const LaunchEvidence& evidence, const Launch& launch,
                                  const Fault& fault) {
  const auto known = evidence.followed.find(fault.pc);
  if (known == evidence.followed.end()) return blame(evidence.context, launch, fault);
  for (const LaunchArgument& argument : launch.arguments) {
    if (argument.offset_bytes == known->second) return &argument;
  }
  return nullptr;
}

void place_globally(Place& place, const LaunchEvidence& evidence, const Fault& fault) {
  place.offset_bytes = static_cast<std::int64_t>(fault.address.value);
  const Launch launch = evidence.launch();
  const LaunchArgument* argument = argument_of(evidence, launch, fault);
  if (argument == nullptr && fault.address.value < kNullBytes) return;
  AllocationId id = fault.allocation;
  if (argument != nullptr) {
    set_argument(place, evidence.kernel(), *argument);
    id = argument->memory.allocation;
  }
  if (place.pointee == Pointee::kUnallocated) {
    place.offset_bytes -= static_cast<std::int64_t>(argument->memory.offset_bytes);
  }
  if (!id) return;
  place_in(place, evidence.context, id);
  const Allocation& allocation = evidence.context.recording().allocation(id);
  place.offset_bytes = static_cast<std::int64_t>(fault.address.value - allocation.address.value);
  if (fault.kind == FaultKind::kUseAfterFree) {
    place.freed_by = evidence.context.freed_by(id, evidence.record.sequence);
  }
}

/// Where a copy or fill says that it reads or writes; null for other records.
MemoryRef named_by(const Record& record, AccessKind access) {
  if (const auto* fill = std::get_if<Fill>(&record.body)) return fill->destination;
  const auto* copy = std::get_if<Copy>(&record.body);
  if (copy == nullptr) return {};
  return access == AccessKind::kLoad ? copy->source : copy->destination;
}

/// Of anything that says which lane did it, and where.
template <class Seen>
void set_lane(Place& place, const Seen& seen) {
  place.workgroup = seen.workgroup;
  place.wavefront = seen.wavefront;
  place.lane = seen.lane;
  place.pc = seen.pc;
  place.instruction = seen.instruction;
}

/// Of a launch or what it asks for.
template <class Evidence>
Place place_of_launch(const Evidence& evidence) {
  Place place;
  place.record = evidence.record.sequence;
  if (evidence.node != nullptr) place.node = evidence.node->sequence;
  place.launch = evidence.ordinal;
  place.step = evidence.record.step;
  return place;
}

}  // namespace

Place place_of(const RequestEvidence& evidence) {
  Place place = place_of_launch(evidence);
  place.status = evidence.record.status;
  place.has_lane = false;
  return place;
}

Place place_of(const LaunchEvidence& evidence, const TouchedAllocation& stray) {
  Place place = place_of_launch(evidence);
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
  Place place = place_of_launch(evidence);
  place.access = AccessKind::kStore;
  set_lane(place, origin);
  place.size_bytes = origin.size_bytes;
  place.offset_bytes = static_cast<std::int64_t>(origin.offset_bytes);
  place_in(place, evidence.context, origin.allocation);
  place_by_argument(place, evidence, {origin.allocation, origin.offset_bytes});
  return place;
}

Place place_of(const LaunchEvidence& evidence, const Fault& fault) {
  Place place = place_of_launch(evidence);
  place.fault = fault.kind;
  place.access = fault.access;
  place.space = fault.space;
  place.size_bytes = fault.size_bytes;
  set_lane(place, fault);
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
  Place place = place_of_launch(evidence);
  set_lane(place, decision);
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
  place_by_argument(place, evidence, {decision.origin_allocation, decision.origin_offset_bytes});
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
  const MemoryRef named = named_by(evidence.deed(), evidence.fault.access);
  if (named.allocation && evidence.context.root_of(named.allocation) == place.allocation) {
    place_in(place, evidence.context, named.allocation);
    place.offset_bytes -= static_cast<std::int64_t>(place.block_offset_bytes);
  }
  if (!place.allocation) {
    place.pointee = evidence.fault.start.is_null() ? Pointee::kNull : Pointee::kUnallocated;
    place.offset_bytes -= static_cast<std::int64_t>(named.offset_bytes);
  }
  if (evidence.fault.kind == FaultKind::kUseAfterFree) {
    place.freed_by = evidence.context.freed_by(place.allocation, place.record);
  }
  return place;
}

Place place_of(const FailedCallEvidence& evidence) {
  Place place;
  place.record = evidence.record.sequence;
  place.step = evidence.record.step;
  place.status = evidence.record.status;
  return place;
}

Place place_of(const ReportEvidence& evidence) {
  Place place;
  place.record = evidence.record.sequence;
  place.step = evidence.record.step;
  place.access = AccessKind::kLoad;
  place.size_bytes = evidence.report.size_bytes;
  place.offset_bytes = static_cast<std::int64_t>(evidence.report.memory.offset_bytes);
  place_in(place, evidence.context, evidence.report.memory.allocation);
  return place;
}

}  // namespace compass::gate
