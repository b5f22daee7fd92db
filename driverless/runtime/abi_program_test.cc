// SPDX-License-Identifier: MIT

// A program that is linked with each of the three libraries: what differs between them, which it is
// told to expect by EXPECTED_MAJOR.

#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>

#include "driverless/runtime/api.h"

namespace compass::hip {
namespace {

int expected_major() { return std::atoi(std::getenv("EXPECTED_MAJOR")); }

TEST(AbiProgram, KnowsItsVersion) {
  int runtime = 0, driver = 0;
  EXPECT_EQ(hipRuntimeGetVersion(&runtime), kSuccess);
  EXPECT_EQ(hipDriverGetVersion(&driver), kSuccess);
  EXPECT_EQ(runtime / 10'000'000, expected_major());
  EXPECT_EQ(driver, runtime);
}

TEST(AbiProgram, KeepsTheLastErrorFromHip7On) {
  static_cast<void>(hipGetLastError());
  EXPECT_EQ(hipSetDevice(9), kErrorInvalidDevice);
  EXPECT_EQ(hipSetDevice(0), kSuccess);
  EXPECT_EQ(hipGetLastError(), expected_major() < 7 ? kSuccess : kErrorInvalidDevice);
}

TEST(AbiProgram, FreesNullInTheOrderOfAStreamFromHip7On) {
  EXPECT_EQ(hipFreeAsync(nullptr, nullptr), expected_major() < 7 ? kErrorInvalidValue : kSuccess);
}

TEST(AbiProgram, HasTheOldNameForTheOldLayoutInEach) {
  DeviceProperties properties;
  LegacyDeviceProperties legacy;
  ASSERT_EQ(hipGetDeviceProperties(&legacy, 0), kSuccess);
  ASSERT_EQ(hipGetDevicePropertiesR0600(&properties, 0), kSuccess);
  EXPECT_EQ(
      std::memcmp(legacy.gcn_arch_name, properties.gcn_arch_name, sizeof legacy.gcn_arch_name), 0);
  EXPECT_EQ(legacy.total_global_memory_bytes, properties.total_global_memory_bytes);
}

}  // namespace
}  // namespace compass::hip
