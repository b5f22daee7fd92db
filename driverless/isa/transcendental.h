// SPDX-License-Identifier: MIT
#pragma once

/// Correctly rounded single-precision functions, the same on every host and in every rounding mode
/// of the host.
///
/// Each is computed in double; where that lies too close to the middle between two floats for the
/// double's own error, it is computed again with 64 bits of precision.
namespace compass::isa {

float exp2_rounded(float x);
float log2_rounded(float x);   ///< of a negative number: NaN; of zero: -infinity
float rsqrt_rounded(float x);  ///< 1 / sqrt(x); of a negative number: NaN; of ±0: ±infinity

/// Sine and cosine of `x` full turns. Of infinity: NaN; outside [-256, 256]: 0 and 1.
float sin_turns_rounded(float x);
float cos_turns_rounded(float x);

/// The same, but an inexact result is truncated and made odd: rounding it once more, to a half,
/// gives the correctly rounded half.
float exp2_sticky(float x);
float log2_sticky(float x);
float rsqrt_sticky(float x);
float sin_turns_sticky(float x);
float cos_turns_sticky(float x);

/// 1 / sqrt(x), rounded from 64 bits of precision.
double rsqrt_near(double x);

}  // namespace compass::isa
