// SPDX-License-Identifier: MIT
#include "driverless/interp/scratch_space.h"

namespace compass::interp {

void ScratchSpace::report(FaultKind kind, std::uint64_t address, std::uint32_t size_bytes,
                          AccessKind access) {
  const Workgroup& group = *wave_.workgroup;
  Fault fault;
  fault.kind = kind;
  fault.access = access;
  fault.space = AddressSpace::kScratch;
  fault.size_bytes = size_bytes;
  fault.address = DeviceAddress{address};
  fault.workgroup = group.id;
  fault.wavefront = wave_.index;
  fault.lane = lane;
  fault.pc = op_.instruction->pc;
  fault.instruction = op_.instruction->text;
  fault.offset_bytes = static_cast<std::int64_t>(address);
  fault.allocation_bytes = group.scratch_bytes;
  group.observer->on_fault(fault);
  if (group.stops_at_findings) wave_.stop();
}

}  // namespace compass::interp
