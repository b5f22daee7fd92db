// SPDX-License-Identifier: MIT
#include "driverless/gate/evidence.h"

#include <limits>
#include <variant>

namespace compass::gate {
namespace {

// Addresses below this come from null pointers, whatever allocation is nearest.
constexpr std::uint64_t kNullBytes = 65536;

/// How many bytes lie between an access and an allocation.
std::uint64_t distance(const Allocation& allocation, const Fault& fault) {
  const std::uint64_t end = allocation.address.value + allocation.size_bytes;
  if (fault.address.value >= end) return fault.address.value - end;
  const std::uint64_t access_end = fault.address.value + fault.size_bytes;
  return access_end <= allocation.address.value ? allocation.address.value - access_end : 0;
}

/// The argument that leads to the access: the one into the allocation that was freed, or, of those
/// whose allocation is nearest, the first that the access has passed, since indices that are too
/// large are more common than negative ones.
const LaunchArgument* blame(const LaunchEvidence& evidence, const Fault& fault) {
  const LaunchArgument* best = nullptr;
  std::uint64_t best_distance = std::numeric_limits<std::uint64_t>::max();
  bool best_is_past = false;
  for (const LaunchArgument& argument : evidence.launch().arguments) {
    if (!argument.is_pointer || !argument.memory.allocation) continue;
    if (fault.kind == FaultKind::kUseAfterFree && fault.allocation) {
      if (argument.memory.allocation == fault.allocation) return &argument;
      continue;
    }
    const Allocation& allocation =
        evidence.context.recording().allocation(argument.memory.allocation);
    const std::uint64_t away = distance(allocation, fault);
    const bool is_past = fault.address >= allocation.address;
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
  place.buffer = label_of(allocation);
  place.buffer_bytes = allocation.size_bytes;
}

void place_globally(Place& place, const LaunchEvidence& evidence, const Fault& fault) {
  place.offset_bytes = static_cast<std::int64_t>(fault.address.value);
  if (fault.address.value < kNullBytes) return;
  const LaunchArgument* argument = blame(evidence, fault);
  AllocationId id = fault.allocation;
  if (argument != nullptr) {
    place.argument = argument_label(evidence.kernel(), argument->offset_bytes);
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

void describe_step(Finding& finding, const Context& context, const Record& record) {
  finding.step_kind = context.step_kind(record);
  finding.phase = record.phase;
}

/// What in a finding's id stands for its buffer.
std::string role_of(const Context& context, const Place& place) {
  if (!place.allocation) return place.buffer.empty() ? place.argument : place.buffer;
  const BufferInfo& info = context.recording().allocation(place.allocation).info;
  if (!info.role.empty()) return info.role;
  return info.name.empty() ? place.argument : info.name;
}

}  // namespace

Context::Context(const Recording& recording) : recording_(recording) {
  for (const Record& record : recording.records) {
    if (std::holds_alternative<LaunchKernel>(record.body)) {
      const std::uint64_t ordinal = ordinals_.size() + 1;
      ordinals_[record.sequence] = ordinal;
    } else if (const auto* free = std::get_if<Free>(&record.body)) {
      frees_.emplace(free->allocation, record.sequence);
    }
  }
}

std::uint64_t Context::launch_ordinal(std::uint64_t record) const {
  const auto found = ordinals_.find(record);
  return found == ordinals_.end() ? 0 : found->second;
}

std::uint64_t Context::freed_by(AllocationId allocation, std::uint64_t record) const {
  const auto found = frees_.find(allocation);
  return found == frees_.end() || found->second >= record ? 0 : found->second;
}

std::string Context::step_kind(const Record& record) const {
  return record.step ? recording_.step(record.step).kind : std::string();
}

const Launch& LaunchEvidence::launch() const {
  return context.recording().launch(std::get<LaunchKernel>(record.body).launch);
}

const Kernel& LaunchEvidence::kernel() const { return context.recording().kernel(launch().kernel); }

Place place_of(const LaunchEvidence& evidence, const Fault& fault) {
  Place place;
  place.record = evidence.record.sequence;
  place.launch = evidence.ordinal;
  place.step = evidence.record.step;
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

Place place_of(const TransferEvidence& evidence) {
  Place place;
  place.record = evidence.record.sequence;
  place.step = evidence.record.step;
  place.access = evidence.fault.access;
  place.size_bytes = evidence.fault.size_bytes;
  place.argument = evidence.fault.access == AccessKind::kLoad ? "source" : "destination";
  place.offset_bytes = static_cast<std::int64_t>(evidence.fault.start.offset_bytes);
  place_in(place, evidence.context, evidence.fault.start.allocation);
  if (evidence.fault.kind == FaultKind::kUseAfterFree) {
    place.freed_by = evidence.context.freed_by(place.allocation, place.record);
  }
  return place;
}

Finding finding_of(std::string_view rule, Level level, const LaunchEvidence& evidence,
                   const FaultGroup& group) {
  Finding finding;
  finding.rule = rule;
  finding.level = level;
  finding.kernel = evidence.kernel().canonical;
  describe_step(finding, evidence.context, evidence.record);
  finding.accesses = group.accesses;
  finding.launches = 1;
  finding.places.push_back(place_of(evidence, group.first));
  finding.role = role_of(evidence.context, finding.places.front());
  finding.id = stable_id(finding);
  return finding;
}

Finding finding_of(std::string_view rule, Level level, const TransferEvidence& evidence) {
  Finding finding;
  finding.rule = rule;
  finding.level = level;
  finding.kernel = kind_of(evidence.record);
  describe_step(finding, evidence.context, evidence.record);
  finding.accesses = 1;
  finding.launches = 1;
  finding.places.push_back(place_of(evidence));
  finding.role = role_of(evidence.context, finding.places.front());
  finding.id = stable_id(finding);
  return finding;
}

}  // namespace compass::gate
