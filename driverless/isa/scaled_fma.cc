// SPDX-License-Identifier: MIT
#include "driverless/isa/scaled_fma.h"

#include <bit>
#include <cfenv>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

namespace compass::isa {
namespace {

// 113 bits of precision: it holds the product of two doubles exactly.
__extension__ typedef __float128 Wide;
__extension__ typedef unsigned __int128 WideBits;

// The sum of two numbers with its last bit made odd where it is inexact: rounding it again, to two
// bits less or fewer, gives what rounding the exact sum would. Needs rounding to nearest.
template <class Float, class Bits>
Float sum_to_odd(Float a, Float b) {
  const Float sum = a + b;
  const Float b_part = sum - a;
  const Float error = (a - (sum - b_part)) + (b - b_part);
  Bits bits;
  std::memcpy(&bits, &sum, sizeof bits);
  if (error == 0 || error != error || (bits & 1) != 0) return sum;
  bits += (error > 0) == (sum > 0) ? Bits{1} : ~Bits{0};
  Float odd;
  std::memcpy(&odd, &bits, sizeof odd);
  return odd;
}

// Or the least normal, to which a subnormal may have been rounded.
template <class Float>
bool is_subnormal_or_zero(Float x) {
  return std::fabs(x) <= std::numeric_limits<Float>::min();
}

// While it lives the host rounds to nearest.
class NearestRounding {
 public:
  NearestRounding() { std::fesetround(FE_TONEAREST); }
  NearestRounding(const NearestRounding&) = delete;
  NearestRounding& operator=(const NearestRounding&) = delete;
  ~NearestRounding() { std::fesetround(mode_); }

 private:
  int mode_ = std::fegetround();
};

}  // namespace

float fma_scaled(float a, float b, float c, int power) {
  // Scaling is exact but where the result is subnormal.
  const float usual = std::ldexp(std::fma(a, b, c), power);
  if (!is_subnormal_or_zero(usual)) return usual;
  double sum;
  {
    const NearestRounding nearest;
    sum = sum_to_odd<double, std::uint64_t>(double{a} * double{b}, double{c});
  }
  return static_cast<float>(std::ldexp(sum, power));
}

double fma_scaled(double a, double b, double c, int power) {
  const double usual = std::ldexp(std::fma(a, b, c), power);
  if (!is_subnormal_or_zero(usual)) return usual;
  const auto factor = [](int exponent) { return static_cast<Wide>(std::ldexp(1.0, exponent)); };
  Wide sum;
  {
    const NearestRounding nearest;
    sum = sum_to_odd<Wide, WideBits>(Wide{a} * Wide{b}, Wide{c}) * factor(power);
  }
  return static_cast<double>(sum);
}

}  // namespace compass::isa
