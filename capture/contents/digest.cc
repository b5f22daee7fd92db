// SPDX-License-Identifier: MIT
#include "capture/contents/digest.h"

#include <xxhash.h>

namespace compass::capture {

Digest digest_of(ByteView bytes) {
  const XXH128_hash_t hash = XXH3_128bits(bytes.data(), bytes.size());
  return {hash.low64, hash.high64};
}

}  // namespace compass::capture
