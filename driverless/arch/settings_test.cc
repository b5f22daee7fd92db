// SPDX-License-Identifier: MIT
#include "driverless/arch/settings.h"

#include <gtest/gtest.h>

namespace compass::arch {
namespace {

const Architecture& gfx950() { return *find("gfx950"); }

TEST(Settings, ChangeOneNumberEach) {
  const auto changed =
      with_settings(gfx950(), "memory=8GiB,compute-units=64,clock=1500MHz,lds=32KiB");
  ASSERT_TRUE(changed) << changed.error().message;
  EXPECT_EQ(changed->memory_bytes, std::uint64_t{8} << 30);
  EXPECT_EQ(changed->compute_units, 64u);
  EXPECT_EQ(changed->clock_khz, 1'500'000u);
  EXPECT_EQ(changed->lds_bytes, 32768u);
  EXPECT_EQ(changed->name, gfx950().name);
  EXPECT_EQ(changed->vgprs, gfx950().vgprs);
}

TEST(Settings, NoneChangeNothing) {
  const auto same = with_settings(gfx950(), "");
  ASSERT_TRUE(same);
  EXPECT_EQ(same->memory_bytes, gfx950().memory_bytes);
}

TEST(Settings, TakeBytesAndBinaryUnits) {
  EXPECT_EQ(with_settings(gfx950(), "memory=1073741824")->memory_bytes, std::uint64_t{1} << 30);
  EXPECT_EQ(with_settings(gfx950(), "memory=1TiB")->memory_bytes, std::uint64_t{1} << 40);
  EXPECT_EQ(with_settings(gfx950(), "memory=2048KiB")->memory_bytes, std::uint64_t{2} << 20);
}

TEST(Settings, UnknownKeysNameTheKnownOnes) {
  for (const char* wrong :
       {"mem=8GiB", "memory", "=8GiB", "memory=8GiB,,lds=1KiB", "Memory=8GiB"}) {
    const auto changed = with_settings(gfx950(), wrong);
    ASSERT_FALSE(changed) << wrong;
    EXPECT_NE(changed.error().message.find("memory, lds, compute-units or clock"),
              std::string::npos)
        << changed.error().message;
  }
}

TEST(Settings, WrongValuesNameTheRightOnes) {
  for (const char* wrong : {"memory=", "memory=8", "memory=8GB", "memory=-1GiB", "memory=8 GiB",
                            "memory=2TiB", "memory=99999999999TiB", "memory=0x10GiB"}) {
    const auto changed = with_settings(gfx950(), wrong);
    ASSERT_FALSE(changed) << wrong;
    EXPECT_NE(changed.error().message.find("expected bytes, or KiB, MiB, GiB or TiB"),
              std::string::npos)
        << changed.error().message;
  }
  EXPECT_FALSE(with_settings(gfx950(), "compute-units=0"));
  EXPECT_FALSE(with_settings(gfx950(), "clock=2400"));
  EXPECT_FALSE(with_settings(gfx950(), "lds=161KiB"));
}

TEST(DeviceCount, IsOneToSixtyFour) {
  EXPECT_EQ(*parse_device_count("1"), 1);
  EXPECT_EQ(*parse_device_count("64"), 64);
  for (const char* wrong : {"0", "65", "", "two", "-1", "1.5", "8 "}) {
    const auto count = parse_device_count(wrong);
    ASSERT_FALSE(count) << wrong;
    EXPECT_NE(count.error().message.find("expected 1 to 64"), std::string::npos);
  }
}

}  // namespace
}  // namespace compass::arch
