// SPDX-License-Identifier: MIT
#include "driverless/runtime/device_properties.h"

#include <gtest/gtest.h>

namespace compass {
namespace {

TEST(DeviceProperties, DescribeTheDeclaredArchitecture) {
  const DeviceProperties properties = properties_of(*arch::find("gfx950"));
  EXPECT_STREQ(properties.name, "AMD Instinct MI355X");
  EXPECT_STREQ(properties.gcn_arch_name, "gfx950:sramecc+:xnack-");
  EXPECT_EQ(properties.total_global_memory_bytes, std::uint64_t{288} << 30);
  EXPECT_EQ(properties.lds_bytes_per_workgroup, 163840u);
  EXPECT_EQ(properties.major, 9);
  EXPECT_EQ(properties.minor, 5);
  EXPECT_EQ(properties_of(*arch::find("gfx942")).minor, 4);
}

TEST(DeviceProperties, AgreeWithAttributes) {
  const DeviceProperties properties = properties_of(*arch::find("gfx950"));
  EXPECT_EQ(attribute_of(properties, 87), 64) << "warp size";
  EXPECT_EQ(attribute_of(properties, 63), 256) << "compute units";
  EXPECT_EQ(attribute_of(properties, 74), 163840) << "LDS of a workgroup";
  EXPECT_EQ(attribute_of(properties, 26), 1024) << "work-items along x";
  EXPECT_EQ(attribute_of(properties, 23), 9) << "major";
  EXPECT_EQ(attribute_of(properties, 80), 0) << "no TCC driver";
  EXPECT_EQ(attribute_of(properties, -1), std::nullopt);
  EXPECT_EQ(attribute_of(properties, 5000), std::nullopt);
}

}  // namespace
}  // namespace compass
