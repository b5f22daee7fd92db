// SPDX-License-Identifier: MIT
#include "driverless/runtime/declared_devices.h"

#include <gtest/gtest.h>

#include "driverless/runtime/device_properties.h"

namespace compass {
namespace {

using Devices = std::vector<int>;

TEST(VisibleDevices, AreThoseOfTheListInItsOrder) {
  EXPECT_EQ(visible_devices({0, 1, 2, 3}, "2,0"), (Devices{2, 0}));
  EXPECT_EQ(visible_devices({2, 0}, "1"), (Devices{0})) << "ordinals count what is still visible";
}

TEST(VisibleDevices, EndAtTheFirstEntryThatIsNone) {
  EXPECT_EQ(visible_devices({0, 1}, "0,-1,1"), (Devices{0}));
  EXPECT_EQ(visible_devices({0, 1}, "1,2,0"), (Devices{1}));
  EXPECT_EQ(visible_devices({0, 1}, "1, 0"), (Devices{1}));
  EXPECT_EQ(visible_devices({0, 1}, "none"), (Devices{}));
}

TEST(VisibleDevices, MayBeNamedByTheirUuid) {
  EXPECT_EQ(visible_devices({0, 1, 2}, "GPU-" + uuid_of(2) + ",0"), (Devices{2, 0}));
  EXPECT_EQ(visible_devices({0, 1}, "GPU-" + uuid_of(2)), (Devices{}));
}

}  // namespace
}  // namespace compass
