// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "driverless/machine/shadow.h"

namespace compass {

/// Which bits of something are undefined and which unknown: of a VGPR one bit a lane, of an SGPR
/// one bit a bit, of SCC bit 0. `origin` is where it came from: an index into Workgroup::origins.
struct Taint {
  std::uint64_t undefined = 0;
  std::uint64_t unknown = 0;
  std::uint32_t origin = 0;

  std::uint64_t any() const { return undefined | unknown; }
  Taint& operator|=(const Taint& other) {
    if (any() == 0) origin = other.origin;
    undefined |= other.undefined;
    unknown |= other.unknown;
    return *this;
  }
  /// What of it lies in `mask`.
  Taint operator&(std::uint64_t mask) const { return {undefined & mask, unknown & mask, origin}; }
  /// All ones where anything is tainted.
  Taint spread() const {
    return {undefined != 0 ? ~std::uint64_t{0} : 0, unknown != 0 ? ~std::uint64_t{0} : 0, origin};
  }
  void add(ByteState state, std::uint64_t bits) {
    if (state == ByteState::kUndefined) undefined |= bits;
    if (state == ByteState::kUnknown) unknown |= bits;
  }
  ByteState worst() const {
    if (undefined != 0) return ByteState::kUndefined;
    return unknown != 0 ? ByteState::kUnknown : ByteState::kKnown;
  }
};

}  // namespace compass
