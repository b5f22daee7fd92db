// SPDX-License-Identifier: MIT
#include "driverless/interp/access.h"

#include <algorithm>

namespace compass::interp {
namespace {

Fault describe(const Wavefront& wave, const Op& op, unsigned lane, std::uint64_t address,
               std::uint32_t size_bytes, AccessKind access) {
  Fault fault;
  fault.access = access;
  fault.size_bytes = size_bytes;
  fault.address = DeviceAddress{address};
  fault.workgroup = wave.workgroup->id;
  fault.wavefront = wave.index;
  fault.lane = lane;
  fault.pc = op.instruction->pc;
  fault.instruction = op.instruction->text;
  return fault;
}

void place_in(Fault& fault, const Region& region) {
  fault.allocation = region.id;
  fault.offset_bytes = static_cast<std::int64_t>(fault.address.value - region.base.value);
  fault.allocation_bytes = region.size_bytes;
}

// One origin for each load instruction of the workgroup: the first place it met.
std::uint32_t origin_of(Workgroup& group, const Workgroup::Origin& origin) {
  for (std::uint32_t n = 1; n < group.origins.size(); ++n) {
    if (group.origins[n].pc == origin.pc) return n;
  }
  group.origins.push_back(origin);
  return static_cast<std::uint32_t>(group.origins.size() - 1);
}

void note_loaded(Wavefront& wave, unsigned lane, ByteState state, const Workgroup::Origin& origin) {
  wave.tainted = true;
  wave.loaded.add(state, std::uint64_t{1} << lane);
  wave.loaded.origin = origin_of(*wave.workgroup, origin);
}

}  // namespace

void GlobalSpace::note_tainted_load(const Region& region, std::uint64_t offset,
                                    std::uint32_t size_bytes) {
  note_loaded(wave_, lane, region.shadow->worst(offset, size_bytes),
              {op_.instruction->pc, AddressSpace::kGlobal, region.id, offset});
}

void GlobalSpace::report_watched(AccessKind access) {
  wave_.workgroup->observer->on_watched_access(
      {access, wave_.workgroup->id, wave_.index, lane, op_.instruction->pc, op_.instruction->text});
}

void GlobalSpace::report(FaultKind kind, std::uint64_t address, std::uint32_t size_bytes,
                         AccessKind access) {
  const Memory& memory = *wave_.workgroup->memory;
  Fault fault = describe(wave_, op_, lane, address, size_bytes, access);
  fault.kind = kind;
  const Region* live = memory.find(fault.address);
  const Region* freed = live == nullptr ? memory.freed(fault.address) : nullptr;
  if (freed != nullptr) {
    fault.kind = FaultKind::kUseAfterFree;
    place_in(fault, *freed);
  } else if (const Region* nearest = memory.nearest(fault.address)) {
    place_in(fault, *nearest);
  }
  wave_.workgroup->observer->on_fault(fault);
  if (wave_.workgroup->stops_at_findings) wave_.stop();
}

void SegmentStates::note_tainted_load(unsigned lane, const ByteState* state, std::uint32_t offset,
                                      std::uint32_t size_bytes) {
  note_loaded(wave_, lane, *std::max_element(state, state + size_bytes),
              {op_.instruction->pc, space_, AllocationId{}, offset});
}

void LdsSpace::report(FaultKind kind, std::uint64_t address, std::uint32_t size_bytes,
                      AccessKind access) {
  Fault fault = describe(wave_, op_, lane, address, size_bytes, access);
  fault.kind = kind;
  fault.space = AddressSpace::kLds;
  fault.offset_bytes = static_cast<std::int64_t>(address);
  fault.allocation_bytes = wave_.workgroup->lds.size();
  wave_.workgroup->observer->on_fault(fault);
  if (wave_.workgroup->stops_at_findings) wave_.stop();
}

}  // namespace compass::interp
