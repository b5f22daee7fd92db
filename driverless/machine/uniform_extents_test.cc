// SPDX-License-Identifier: MIT
#include "driverless/machine/uniform_extents.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace compass {
namespace {

TEST(UniformExtents, AreFoundInside) {
  UniformExtents extents;
  extents.set({100, 200, 7});
  EXPECT_FALSE(extents.find(99));
  ASSERT_TRUE(extents.find(199));
  EXPECT_EQ(extents.find(199)->begin, 100u);
  EXPECT_EQ(extents.find(199)->end, 200u);
  EXPECT_EQ(extents.find(199)->word, 7u);
  EXPECT_FALSE(extents.find(200));
}

TEST(UniformExtents, NeighboursWithOneWordAreOne) {
  UniformExtents extents;
  extents.set({100, 200, 7});
  extents.set({300, 400, 7});
  extents.set({200, 300, 7});
  EXPECT_EQ(extents.size(), 1u);
  extents.set({400, 500, 8});
  EXPECT_EQ(extents.size(), 2u);
}

TEST(UniformExtents, CountPatternsButNoZeros) {
  UniformExtents extents;
  extents.set({0, 1000, 0});
  extents.set({100, 200, 7});
  extents.set({400, 500, 8});
  EXPECT_EQ(extents.pattern_bytes(), 200u);
  EXPECT_EQ(extents.pattern_bytes_in(150, 450), 100u);
  EXPECT_EQ(extents.pattern_bytes_in(200, 400), 0u);
  extents.erase(150, 1000);
  EXPECT_EQ(extents.pattern_bytes(), 50u);
}

TEST(UniformExtents, SayWhatAListOfBytesWouldSay) {
  constexpr std::uint64_t kBytes = 64;
  constexpr int kNone = -1;
  std::vector<int> expected(kBytes, kNone);
  UniformExtents extents;
  std::mt19937 random(1);
  for (int n = 0; n < 5000; ++n) {
    const std::uint64_t begin = random() % kBytes, end = begin + random() % (kBytes - begin + 1);
    const int word = static_cast<int>(random() % 4) - 1;
    if (word == kNone) {
      extents.erase(begin, end);
    } else {
      extents.set({begin, end, static_cast<std::uint32_t>(word)});
    }
    for (std::uint64_t at = begin; at < end; ++at) expected[at] = word;
    std::uint64_t patterns = 0;
    for (std::uint64_t at = 0; at < kBytes; ++at) {
      const auto found = extents.find(at);
      ASSERT_EQ(found ? static_cast<int>(found->word) : kNone, expected[at]) << n << " " << at;
      patterns += expected[at] > 0 ? 1 : 0;
    }
    ASSERT_EQ(extents.pattern_bytes(), patterns) << n;
  }
}

}  // namespace
}  // namespace compass
