// SPDX-License-Identifier: MIT
#include "driverless/arch/declared_devices.h"

#include <gtest/gtest.h>

namespace compass::arch {
namespace {

using Devices = std::vector<int>;

TEST(HipVisible, AreThoseOfTheListInItsOrder) {
  EXPECT_EQ(hip_visible({0, 1, 2, 3}, "2,0"), (Devices{2, 0}));
  EXPECT_EQ(hip_visible({2, 0}, "1"), (Devices{0})) << "ordinals count what is still visible";
  EXPECT_EQ(hip_visible({0, 1}, "1,1,0"), (Devices{1, 0})) << "twice counts once";
}

TEST(HipVisible, EndAtTheFirstEntryThatIsNone) {
  EXPECT_EQ(hip_visible({0, 1}, "0,-1,1"), (Devices{0}));
  EXPECT_EQ(hip_visible({0, 1}, "1,2,0"), (Devices{1}));
  EXPECT_EQ(hip_visible({0, 1}, "1, 0"), (Devices{1}));
  EXPECT_EQ(hip_visible({0, 1}, "01"), (Devices{}));
  EXPECT_EQ(hip_visible({0, 1}, "99999999999999999999"), (Devices{}));
  EXPECT_EQ(hip_visible({0, 1}, "none"), (Devices{}));
}

TEST(HipVisible, MayBeNamedByTheirUuid) {
  EXPECT_EQ(hip_visible({0, 1, 2}, "GPU-" + uuid_of(2) + ",0"), (Devices{2, 0}));
  EXPECT_EQ(hip_visible({0, 1}, "GPU-" + uuid_of(2)), (Devices{}));
  EXPECT_EQ(hip_visible({1, 0}, "GPU-63"), (Devices{1})) << "the first that it fits";
}

TEST(HipVisible, FollowCudasVariableWhereHipsSaysNothing) {
  EXPECT_STREQ(hip_visible_list("1", "0"), "1");
  EXPECT_STREQ(hip_visible_list("", "0"), "0");
  EXPECT_STREQ(hip_visible_list(nullptr, "0"), "0");
  EXPECT_EQ(hip_visible_list(nullptr, nullptr), nullptr);
}

TEST(RocrVisible, AreThoseOfTheListInItsOrder) {
  EXPECT_EQ(rocr_visible({0, 1, 2, 3}, "2,0"), (Devices{2, 0}));
  EXPECT_EQ(rocr_visible({0, 1}, " 1 ,0x0"), (Devices{1, 0})) << "spaces and bases do not matter";
}

TEST(RocrVisible, EndAtTheFirstEntryThatIsNoneOrWasThere) {
  EXPECT_EQ(rocr_visible({0, 1}, "0,-1,1"), (Devices{0}));
  EXPECT_EQ(rocr_visible({0, 1, 2}, "1,1,0"), (Devices{1}));
  EXPECT_EQ(rocr_visible({0, 1}, "1,,0"), (Devices{1}));
  EXPECT_EQ(rocr_visible({0, 1}, "none"), (Devices{}));
  EXPECT_EQ(rocr_visible({0, 1}, ""), (Devices{})) << "an empty list is a list";
}

TEST(RocrVisible, MayBeNamedByTheBeginningOfTheirUuidIfItIsOnlyTheirs) {
  EXPECT_EQ(rocr_visible({0, 1, 2}, "gpu-" + uuid_of(2) + ",0"), (Devices{2, 0}));
  EXPECT_EQ(rocr_visible({0, 1}, "GPU-63"), (Devices{})) << "both start so";
  EXPECT_EQ(rocr_visible({0}, "GPU-63"), (Devices{0}));
  EXPECT_EQ(rocr_visible({0}, "GPU-"), (Devices{}));
}

}  // namespace
}  // namespace compass::arch
