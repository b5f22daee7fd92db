// SPDX-License-Identifier: MIT
#include "driverless/interp/access.h"

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

}  // namespace

const Region* GlobalSpace::find(std::uint64_t address, std::uint32_t size_bytes) {
  const Region* region = wave_.workgroup->memory->find(DeviceAddress{address});
  if (region == nullptr || !region->contains(DeviceAddress{address}, size_bytes)) return nullptr;
  wave_.workgroup->recent_region = region;
  return region;
}

void report_global_fault(const Wavefront& wave, const Op& op, unsigned lane, std::uint64_t address,
                         std::uint32_t size_bytes, AccessKind access) {
  const Memory& memory = *wave.workgroup->memory;
  Fault fault = describe(wave, op, lane, address, size_bytes, access);
  const Region* live = memory.find(fault.address);
  const Region* freed = live == nullptr ? memory.freed(fault.address) : nullptr;
  if (freed != nullptr) {
    fault.kind = FaultKind::kUseAfterFree;
    place_in(fault, *freed);
  } else if (const Region* nearest = memory.nearest(fault.address)) {
    place_in(fault, *nearest);
  }
  wave.workgroup->observer->on_fault(fault);
}

void report_lds_fault(const Wavefront& wave, const Op& op, unsigned lane, std::uint64_t address,
                      std::uint32_t size_bytes, AccessKind access) {
  Fault fault = describe(wave, op, lane, address, size_bytes, access);
  fault.space = AddressSpace::kLds;
  fault.offset_bytes = static_cast<std::int64_t>(address);
  fault.allocation_bytes = wave.workgroup->lds.size();
  wave.workgroup->observer->on_fault(fault);
}

}  // namespace compass::interp
