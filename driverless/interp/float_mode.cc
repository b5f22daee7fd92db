// SPDX-License-Identifier: MIT
#include "driverless/interp/float_mode.h"

#include <xmmintrin.h>

namespace compass::interp {

isa::Mode decode_mode(std::uint32_t mode) {
  return {.round_single = static_cast<isa::Round>(mode & 3),
          .round_wide = static_cast<isa::Round>(mode >> 2 & 3),
          .flush_single_sources = (mode & 0x10) == 0,
          .flush_single_results = (mode & 0x20) == 0,
          .flush_wide_sources = (mode & 0x40) == 0,
          .flush_wide_results = (mode & 0x80) == 0,
          .clamp_makes_nan_zero = (mode & kModeDx10Clamp) != 0,
          .overflow_saturates = (mode & kModeFp16Ovfl) != 0};
}

HostRounding::HostRounding(isa::Round round) : saved_(_mm_getcsr()) {
  // The host numbers: nearest, down, up, towards zero.
  constexpr unsigned kCodes[] = {_MM_ROUND_NEAREST, _MM_ROUND_UP, _MM_ROUND_DOWN,
                                 _MM_ROUND_TOWARD_ZERO};
  _mm_setcsr((saved_ & ~unsigned{_MM_ROUND_MASK}) | kCodes[static_cast<unsigned>(round)]);
}

HostRounding::~HostRounding() { _mm_setcsr(saved_); }

}  // namespace compass::interp
