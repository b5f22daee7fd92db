// SPDX-License-Identifier: MIT
#include "driverless/runtime/device_properties.h"

#include <gtest/gtest.h>

#include <string_view>

#include "driverless/arch/declared_devices.h"
#include "driverless/runtime/device_attributes.h"
#include "driverless/runtime/legacy_device_properties.h"

namespace compass {
namespace {

const arch::Architecture& gfx950() { return *arch::find("gfx950"); }

TEST(DeviceProperties, DescribeTheDeclaredArchitecture) {
  const DeviceProperties properties = properties_of(gfx950(), 0);
  EXPECT_STREQ(properties.name, "AMD Instinct MI355X");
  EXPECT_STREQ(properties.gcn_arch_name, "gfx950:sramecc+:xnack-");
  EXPECT_EQ(properties.total_global_memory_bytes, std::uint64_t{288} << 30);
  EXPECT_EQ(properties.lds_bytes_per_workgroup, 163840u);
  EXPECT_EQ(properties.major, 9);
  EXPECT_EQ(properties.minor, 5);
  EXPECT_EQ(properties_of(*arch::find("gfx942"), 0).minor, 4);
}

TEST(DeviceProperties, TellDevicesApart) {
  const DeviceProperties first = properties_of(gfx950(), 0);
  const DeviceProperties last = properties_of(gfx950(), 63);
  EXPECT_NE(first.pci_bus, last.pci_bus);
  EXPECT_EQ(std::string_view(last.uuid, sizeof last.uuid), arch::uuid_of(63));
  EXPECT_NE(arch::uuid_of(0), arch::uuid_of(63));
  EXPECT_EQ(arch::uuid_of(63).size(), sizeof last.uuid);
}

TEST(DeviceProperties, InTheOldLayoutSayTheSame) {
  const DeviceProperties properties = properties_of(gfx950(), 3);
  const LegacyDeviceProperties legacy = legacy_properties_of(properties);
  EXPECT_STREQ(legacy.name, properties.name);
  EXPECT_STREQ(legacy.gcn_arch_name, properties.gcn_arch_name);
  EXPECT_EQ(legacy.gcn_arch, 950);
  EXPECT_EQ(legacy.total_global_memory_bytes, properties.total_global_memory_bytes);
  EXPECT_EQ(legacy.compute_units, properties.compute_units);
  EXPECT_EQ(legacy.architecture_features, properties.architecture_features);
  EXPECT_EQ(legacy.pci_bus, properties.pci_bus);
  EXPECT_EQ(legacy.memory_pitch_bytes, properties.memory_pitch_bytes);
  EXPECT_EQ(legacy.large_bar, 1);
  EXPECT_EQ(legacy.concurrent_managed_access, 1);
  EXPECT_EQ(legacy_properties_of(properties_of(*arch::find("gfx942"), 0)).gcn_arch, 942);
}

TEST(DeviceAttributes, AgreeWithProperties) {
  const DeviceProperties properties = properties_of(gfx950(), 2);
  const auto attribute = [&](int number) { return attribute_of(properties, gfx950(), number); };
  EXPECT_EQ(attribute(87), 64) << "warp size";
  EXPECT_EQ(attribute(63), 256) << "compute units";
  EXPECT_EQ(attribute(74), 163840) << "LDS of a workgroup";
  EXPECT_EQ(attribute(26), 1024) << "work-items along x";
  EXPECT_EQ(attribute(31), 65536) << "workgroups along z";
  EXPECT_EQ(attribute(84), 0x7fffffff) << "memory, as far as an int holds it";
  EXPECT_EQ(attribute(67), 3) << "PCI bus";
  EXPECT_EQ(attribute(10018), 8) << "XCCs";
  EXPECT_EQ(attribute(10020), 0x75a3) << "PCI device";
}

TEST(DeviceAttributes, OfImagesAreZero) {
  for (const int number : {39, 43, 44, 49, 51, 53, 79, 10014}) {
    EXPECT_EQ(attribute_of(properties_of(gfx950(), 0), gfx950(), number), 0) << number;
  }
}

TEST(DeviceAttributes, ThatTheDeviceDoesNotHaveAreAbsent) {
  // No number of an attribute, or one of other vendors' devices, or retired.
  for (const int number : {-1, 21, 33, 64, 77, 80, 86, 200, 5000, 9999, 10001, 10003, 10021}) {
    EXPECT_EQ(attribute_of(properties_of(gfx950(), 0), gfx950(), number), std::nullopt) << number;
  }
}

}  // namespace
}  // namespace compass
