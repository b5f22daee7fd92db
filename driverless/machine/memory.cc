// SPDX-License-Identifier: MIT
#include "driverless/machine/memory.h"

#include <algorithm>
#include <iterator>

namespace compass {
namespace {

std::string describe(const Region& region) {
  return concat("[", hex(region.base.value), ", ", hex(region.end().value), ")");
}

}  // namespace

Result<Region*> Memory::map(Region region) {
  if (region.size_bytes == 0 || region.end() < region.base) {
    return Error{ErrorCode::kInvalid, concat("region ", describe(region), " is empty or wraps")};
  }
  const auto next = live_.upper_bound(region.base);
  const Region* neighbour = nullptr;
  if (next != live_.end() && next->first < region.end()) neighbour = &next->second;
  if (next != live_.begin() && std::prev(next)->second.end() > region.base) {
    neighbour = &std::prev(next)->second;
  }
  if (neighbour != nullptr) {
    return Error{ErrorCode::kInvalid, concat("region ", describe(region), " overlaps ",
                                             describe(*neighbour), ", which is mapped")};
  }
  if (region.id && region.shadow == nullptr) {
    region.shadow = std::make_shared<Shadow>(region.size_bytes, region.kind == RegionKind::kDevice
                                                                    ? ByteState::kUndefined
                                                                    : ByteState::kKnown);
  }
  if (region.shadow != nullptr) region.shadow->log_touches(touched_, region.base);
  return &live_.emplace_hint(next, region.base, region)->second;
}

Result<Region> Memory::unmap(DeviceAddress base) {
  const auto found = live_.find(base);
  if (found == live_.end()) {
    return Error{ErrorCode::kNotFound, concat("no region starts at ", hex(base.value))};
  }
  const Region region = found->second;
  live_.erase(found);
  if (region.id) {
    Region ended = region;
    ended.shadow = nullptr;
    freed_.add(ended);
  }
  return region;
}

const Region* Memory::find(DeviceAddress address) const {
  const auto next = live_.upper_bound(address);
  if (next == live_.begin()) return nullptr;
  const Region& region = std::prev(next)->second;
  return region.contains(address, 1) ? &region : nullptr;
}

const Region* Memory::nearest(DeviceAddress address) const {
  const auto next = live_.upper_bound(address);
  if (next == live_.begin()) return live_.empty() ? nullptr : &next->second;
  const Region& before = std::prev(next)->second;
  if (next == live_.end() || before.contains(address, 1)) return &before;
  const Region& after = next->second;
  return address.value - before.end().value < after.base.value - address.value ? &before : &after;
}

std::byte* Memory::host(DeviceAddress address, std::uint64_t size) const {
  const Region* region = find(address);
  if (region == nullptr || !region->contains(address, size)) return nullptr;
  return region->host + (address.value - region->base.value);
}

void Memory::note_write(DeviceAddress address, std::uint64_t size, ByteState state,
                        std::uint32_t writer) {
  const Region* region = find(address);
  if (size == 0 || region == nullptr || region->shadow == nullptr) return;
  const std::uint64_t offset = address.value - region->base.value;
  region->shadow->set(offset, std::min(size, region->size_bytes - offset), state, writer);
}

void Memory::note_copy(DeviceAddress destination, DeviceAddress source, std::uint64_t size,
                       std::uint32_t writer) {
  const Region* from = find(source);
  const Region* to = find(destination);
  if (size == 0 || to == nullptr || to->shadow == nullptr) return;
  if (from == nullptr || from->shadow == nullptr || !from->contains(source, size) ||
      !to->contains(destination, size)) {
    return note_write(destination, size, ByteState::kKnown, writer);
  }
  to->shadow->copy(destination.value - to->base.value, *from->shadow,
                   source.value - from->base.value, size, writer);
}

std::vector<const Region*> Memory::take_touched() {
  std::sort(touched_.begin(), touched_.end());
  touched_.erase(std::unique(touched_.begin(), touched_.end()), touched_.end());
  std::vector<const Region*> regions;
  for (const DeviceAddress base : touched_) {
    const Region* region = find(base);  // one that has ended, or another, is not touched
    const bool touched =
        region != nullptr && region->shadow != nullptr && region->shadow->is_touched();
    if (touched) regions.push_back(region);
  }
  touched_.clear();
  return regions;
}

}  // namespace compass
