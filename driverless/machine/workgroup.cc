// SPDX-License-Identifier: MIT
#include "driverless/machine/workgroup.h"

#include <utility>

namespace compass {

const Region* Workgroup::find_other_region(DeviceAddress address, std::uint64_t size_bytes) {
  for (const Region*& other : other_regions) {
    if (other == nullptr || !other->contains(address, size_bytes)) continue;
    std::swap(recent_region, other);
    return recent_region;
  }
  const Region* found = memory->find(address);
  if (found == nullptr || !found->contains(address, size_bytes)) return nullptr;
  std::rotate(other_regions.begin(), other_regions.end() - 1, other_regions.end());
  other_regions.front() = std::exchange(recent_region, found);
  return found;
}

}  // namespace compass
