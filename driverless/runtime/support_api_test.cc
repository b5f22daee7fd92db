// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "driverless/runtime/api.h"

namespace compass::hip {
namespace {

TEST(HalfConversion, GoesThereAndBackForEveryHalf) {
  for (std::uint32_t half = 0; half < 0x10000; ++half) {
    const float value = __gnu_h2f_ieee(static_cast<std::uint16_t>(half));
    if (std::isnan(value)) continue;
    ASSERT_EQ(__gnu_f2h_ieee(value), half) << value;
  }
}

TEST(HalfConversion, RoundsToNearestEven) {
  EXPECT_EQ(__gnu_f2h_ieee(1.0f + 0x1p-11f), 0x3C00) << "a tie goes to even";
  EXPECT_EQ(__gnu_f2h_ieee(1.0f + 0x3p-11f), 0x3C02) << "a tie goes to even";
  EXPECT_EQ(__gnu_f2h_ieee(1.0f + 0x1.002p-11f), 0x3C01);
  EXPECT_EQ(__gnu_f2h_ieee(0x1p-25f), 0x0000) << "half of the smallest";
  EXPECT_EQ(__gnu_f2h_ieee(0x1.8p-24f), 0x0002) << "one and a half of the smallest";
  EXPECT_EQ(__gnu_f2h_ieee(65519.0f), 0x7BFF);
  EXPECT_EQ(__gnu_f2h_ieee(65520.0f), 0x7C00) << "rounds to infinity";
  EXPECT_EQ(__gnu_f2h_ieee(-1e30f), 0xFC00);
}

TEST(HalfConversion, KeepsNaNs) {
  EXPECT_TRUE(std::isnan(__gnu_h2f_ieee(0x7E01)));
  EXPECT_EQ(__gnu_f2h_ieee(std::numeric_limits<float>::quiet_NaN()) & 0x7E00, 0x7E00);
}

}  // namespace
}  // namespace compass::hip
