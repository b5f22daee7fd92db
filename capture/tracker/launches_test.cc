// SPDX-License-Identifier: MIT
#include "capture/tracker/launches.h"

#include <gtest/gtest.h>

#include <string>

namespace compass::capture {
namespace {

TEST(Launches, RemembersWhichEntryAskedFirst) {
  Launches launches;
  EXPECT_EQ(launches.find(as_byte_view("scale 1")), 0u);
  launches.find(as_byte_view("scale 1")) = 7;
  EXPECT_EQ(launches.find(as_byte_view("scale 1")), 7u);
  EXPECT_EQ(launches.find(as_byte_view("scale 2")), 0u);
}

TEST(Launches, NeverTakesOneForAnother) {
  Launches launches;
  constexpr std::uint64_t kMany = 20'000;  // more than there is room for
  for (std::uint64_t i = 1; i <= kMany; ++i) launches.find(as_byte_view(std::to_string(i))) = i;
  for (std::uint64_t i = 1; i <= kMany; ++i) {
    const std::uint64_t entry = launches.find(as_byte_view(std::to_string(i)));
    EXPECT_TRUE(entry == 0 || entry == i) << i << " is taken for " << entry;
  }
}

TEST(Launches, ForgetsWhenTold) {
  Launches launches;
  launches.find(as_byte_view("scale")) = 7;
  launches.clear();
  EXPECT_EQ(launches.find(as_byte_view("scale")), 0u);
}

}  // namespace
}  // namespace compass::capture
