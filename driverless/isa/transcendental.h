// SPDX-License-Identifier: MIT
#pragma once

/// Correctly rounded single-precision functions, the same on every host.
///
/// Each is computed in double; where that lies too close to the middle between two floats for the
/// double's own error, it is computed again with 64 bits of precision.
namespace compass::isa {

float exp2_rounded(float x);
float log2_rounded(float x);   ///< of a negative number: NaN; of zero: -infinity
float rsqrt_rounded(float x);  ///< 1 / sqrt(x); of a negative number: NaN; of ±0: ±infinity

}  // namespace compass::isa
