// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "ir/base/bytes.h"

namespace compass::capture {

/// Stands for bytes that are not kept: equal digests, equal bytes. XXH3, 128 bits.
struct Digest {
  std::uint64_t low = 0;
  std::uint64_t high = 0;
  friend bool operator==(const Digest&, const Digest&) = default;
};

Digest digest_of(ByteView bytes);

}  // namespace compass::capture
