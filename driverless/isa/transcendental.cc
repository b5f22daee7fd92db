// SPDX-License-Identifier: MIT
#include "driverless/isa/transcendental.h"

#include <xmmintrin.h>

#include <bit>
#include <cmath>
#include <cstdint>

namespace compass::isa {
namespace {

/// The host rounds to nearest while this lives.
class NearestScope {
 public:
  NearestScope() : saved_(_mm_getcsr()) {
    if ((saved_ & _MM_ROUND_MASK) != 0) [[unlikely]]
      _mm_setcsr(saved_ & ~unsigned{_MM_ROUND_MASK});
  }
  ~NearestScope() {
    if ((saved_ & _MM_ROUND_MASK) != 0) [[unlikely]]
      _mm_setcsr(saved_);
  }
  NearestScope(const NearestScope&) = delete;
  NearestScope& operator=(const NearestScope&) = delete;

 private:
  unsigned saved_;
};

// Whether rounding `x` to float could go the other way if `x` were off by a few units in its last
// place: the 29 bits that a normal float drops are close to one half.
bool near_midpoint(double x) {
  const std::uint64_t dropped = std::bit_cast<std::uint64_t>(x) & 0x1FFF'FFFFu;
  return dropped - 0x0FFF'FFF8u <= 16;
}

// Below this magnitude a float is subnormal and drops more bits than near_midpoint looks at.
bool is_small(double x) { return std::fabs(x) < 0x1p-125; }

float to_odd(double x) {
  const auto rounded = static_cast<float>(x);
  const auto back = static_cast<double>(rounded);
  if (back == x || x != x) return rounded;
  auto bits = std::bit_cast<std::uint32_t>(rounded);
  if (std::fabs(back) > std::fabs(x)) --bits;
  return std::bit_cast<float>(bits | 1);
}

constexpr long double kTwoPi = 6.283185307179586476925286766559L;

// Sine of `turns`, |turns| <= 1/8, and cosine.
template <class T>
T small_sine(T turns) {
  return std::sin(static_cast<T>(kTwoPi) * turns);
}
template <class T>
T small_cosine(T turns) {
  return std::cos(static_cast<T>(kTwoPi) * turns);
}

// Exact for every float whose fraction matters: what is left is within an eighth of `quarter`
// quarter turns.
template <class T>
T sine_of_turns(float x, int quarter) {
  const double turns = static_cast<double>(x) - std::nearbyint(static_cast<double>(x));
  const double nearest = std::nearbyint(turns * 4);
  const T rest = static_cast<T>(turns - nearest / 4);
  switch ((static_cast<int>(nearest) + quarter) & 3) {
    case 0:
      return small_sine(rest);
    case 1:
      return small_cosine(rest);
    case 2:
      return 0 - small_sine(rest);
    default:
      return -small_cosine(rest);
  }
}

double sine(float x, int quarter) {
  if (std::isinf(x)) return std::nan("");
  if (std::fabs(x) > 256) return quarter;
  if (x == 0 && quarter == 0) return x;
  return sine_of_turns<double>(x, quarter);
}

float sine_rounded(float x, int quarter) {
  const NearestScope scope;
  const double near = sine(x, quarter);
  if ((!near_midpoint(near) && !is_small(near)) || std::fabs(x) > 256) {
    return static_cast<float>(near);
  }
  return static_cast<float>(sine_of_turns<long double>(x, quarter));
}

double rsqrt(float x) {
  return x == 0.0f ? static_cast<double>(1.0f / x) : 1.0 / std::sqrt(static_cast<double>(x));
}

}  // namespace

float exp2_rounded(float x) {
  const NearestScope scope;
  const double near = std::exp2(static_cast<double>(x));
  if (!near_midpoint(near) && !is_small(near)) return static_cast<float>(near);
  return static_cast<float>(std::exp2(static_cast<long double>(x)));
}

float log2_rounded(float x) {
  const NearestScope scope;
  const double near = std::log2(static_cast<double>(x));
  if (!near_midpoint(near)) return static_cast<float>(near);
  return static_cast<float>(std::log2(static_cast<long double>(x)));
}

float rsqrt_rounded(float x) {
  const NearestScope scope;
  const double near = rsqrt(x);
  if (x == 0.0f || !near_midpoint(near)) return static_cast<float>(near);
  return static_cast<float>(1.0L / std::sqrt(static_cast<long double>(x)));
}

float sin_turns_rounded(float x) { return sine_rounded(x, 0); }
float cos_turns_rounded(float x) { return sine_rounded(x, 1); }

float exp2_sticky(float x) {
  const NearestScope scope;
  return to_odd(std::exp2(static_cast<double>(x)));
}
float log2_sticky(float x) {
  const NearestScope scope;
  return to_odd(std::log2(static_cast<double>(x)));
}
float rsqrt_sticky(float x) {
  const NearestScope scope;
  return to_odd(rsqrt(x));
}
float sin_turns_sticky(float x) {
  const NearestScope scope;
  return to_odd(sine(x, 0));
}
float cos_turns_sticky(float x) {
  const NearestScope scope;
  return to_odd(sine(x, 1));
}

double rsqrt_near(double x) {
  if (x == 0.0) return 1.0 / x;
  const NearestScope scope;
  return static_cast<double>(1.0L / std::sqrt(static_cast<long double>(x)));
}

}  // namespace compass::isa
