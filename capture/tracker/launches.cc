// SPDX-License-Identifier: MIT
#include "capture/tracker/launches.h"

#include <algorithm>
#include <functional>

namespace compass::capture {

std::uint64_t* Launches::find(ByteView launch) {
  if (launch.size() > kMostBytes) return nullptr;
  Slot& slot = slots_[std::hash<std::string_view>()(as_text(launch)) % kSlots];
  if (!std::equal(launch.begin(), launch.end(), slot.launch.begin(), slot.launch.end())) {
    slot.entry = 0;
    slot.launch.assign(launch.begin(), launch.end());
  }
  return &slot.entry;
}

void Launches::clear() {
  for (Slot& slot : slots_) slot.entry = 0;
}

}  // namespace compass::capture
