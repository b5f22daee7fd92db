// SPDX-License-Identifier: MIT
#include "capture/tracker/launches.h"

#include <xxhash.h>

namespace compass::capture {

std::uint64_t& Launches::find(ByteView launch) {
  const XXH128_hash_t hash = XXH3_128bits(launch.data(), launch.size());
  Slot& slot = slots_[hash.low64 % kSlots];
  if (slot.low != hash.low64 || slot.high != hash.high64) slot = {hash.low64, hash.high64, 0};
  return slot.entry;
}

void Launches::clear() {
  for (Slot& slot : slots_) slot.entry = 0;
}

}  // namespace compass::capture
