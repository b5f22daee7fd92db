// SPDX-License-Identifier: MIT
#include "driverless/launch_memory.h"

#include "driverless/kernarg_segment.h"

namespace compass {
namespace {

constexpr std::uint64_t kPageBytes = 4096;
static_assert(2 * kPageBytes + KernargLayout::kMostBytes <= LaunchMemory::kBytes);

void set_storage(Region& region, std::span<std::byte> bytes) {
  region.host = bytes.data();
  region.size_bytes = bytes.size();
}

}  // namespace

LaunchMemory::LaunchMemory(Memory& memory, DeviceAddress base)
    : packet_region_(map(memory, base, kPageBytes, Access::kRead)),
      grid_sync_region_(map(memory, base + kPageBytes, kPageBytes, Access::kReadAndWrite)),
      kernarg_region_(
          map(memory, base + 2 * kPageBytes, KernargLayout::kMostBytes, Access::kRead)) {}

Region& LaunchMemory::map(Memory& memory, DeviceAddress base, std::uint64_t most_bytes,
                          Access access) {
  const auto mapped = memory.map({.base = base,
                                  .size_bytes = most_bytes,
                                  .kind = RegionKind::kKernarg,
                                  .writable = access == Access::kReadAndWrite});
  CHECK(mapped.has_value());  // the addresses are the agent's alone
  set_storage(**mapped, {});
  return **mapped;
}

void LaunchMemory::show(const DispatchPacket& packet, std::span<std::byte> kernarg) {
  packet_ = lay_out(packet);
  set_storage(packet_region_, packet_);
  set_storage(kernarg_region_, kernarg);
}

void LaunchMemory::show_grid_sync(std::uint32_t workgroups) {
  grid_sync_ = make_grid_sync(workgroups);
  set_storage(grid_sync_region_, grid_sync_);
}

void LaunchMemory::hide() {
  for (Region* region : {&packet_region_, &grid_sync_region_, &kernarg_region_}) {
    set_storage(*region, {});
  }
}

}  // namespace compass
