// SPDX-License-Identifier: MIT
#pragma once

namespace compass::isa {

/// (a * b + c) * 2^power, rounded once in the host's rounding mode, also where it is subnormal.
float fma_scaled(float a, float b, float c, int power);
double fma_scaled(double a, double b, double c, int power);

}  // namespace compass::isa
