// SPDX-License-Identifier: MIT
#include "driverless/isa/transcendental.h"

#include <bit>
#include <cmath>
#include <cstdint>

namespace compass::isa {
namespace {

// Whether rounding `x` to float could go the other way if `x` were off by a few units in its last
// place: the 29 bits that a normal float drops are close to one half.
bool near_midpoint(double x) {
  const std::uint64_t dropped = std::bit_cast<std::uint64_t>(x) & 0x1FFF'FFFFu;
  return dropped - 0x0FFF'FFF8u <= 16;
}

// Below this magnitude a float is subnormal and drops more bits than near_midpoint looks at.
bool is_small(double x) { return std::fabs(x) < 0x1p-125; }

}  // namespace

float exp2_rounded(float x) {
  const double near = std::exp2(static_cast<double>(x));
  if (!near_midpoint(near) && !is_small(near)) return static_cast<float>(near);
  return static_cast<float>(std::exp2(static_cast<long double>(x)));
}

float log2_rounded(float x) {
  const double near = std::log2(static_cast<double>(x));
  if (!near_midpoint(near)) return static_cast<float>(near);
  return static_cast<float>(std::log2(static_cast<long double>(x)));
}

float rsqrt_rounded(float x) {
  if (x == 0.0f) return 1.0f / x;
  const double near = 1.0 / std::sqrt(static_cast<double>(x));
  if (!near_midpoint(near)) return static_cast<float>(near);
  return static_cast<float>(1.0L / std::sqrt(static_cast<long double>(x)));
}

}  // namespace compass::isa
