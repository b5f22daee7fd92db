// SPDX-License-Identifier: MIT
#pragma once

#include "driverless/interp/value_rows.h"

/// The wavefront's MODE register and what of it a row depends on.
namespace compass::interp {

/// What of MODE operations on singles, on doubles, and on halves and 8-bit floats depend on.
inline constexpr std::uint32_t kSingleModeBits = 0x33, kDoubleModeBits = 0xCC,
                               kHalfModeBits = 0xCC | kModeFp16Ovfl;

constexpr std::uint32_t mode_bits_of(ValueClass value_class) {
  switch (value_class) {
    case ValueClass::kFloat:
    case ValueClass::kPair:
      return kSingleModeBits;
    case ValueClass::kDouble:
      return kDoubleModeBits;
    case ValueClass::kHalf:
    case ValueClass::kPairOfHalves:
    case ValueClass::kInteger16:
      return kHalfModeBits;
    case ValueClass::kMixed:
      return kSingleModeBits | kHalfModeBits;
    default:
      return 0;
  }
}

/// MODE as isa functions take it.
isa::Mode decode_mode(std::uint32_t mode);

/// While this lives the host rounds single and double operations as told.
class HostRounding {
 public:
  explicit HostRounding(isa::Round round);
  ~HostRounding();
  HostRounding(const HostRounding&) = delete;
  HostRounding& operator=(const HostRounding&) = delete;

 private:
  unsigned saved_;
};

}  // namespace compass::interp
