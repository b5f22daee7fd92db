// SPDX-License-Identifier: MIT
#include "driverless/machine/memory.h"

#include <gtest/gtest.h>

#include <array>

namespace compass {
namespace {

class MemoryTest : public testing::Test {
 protected:
  void map(std::uint64_t base, std::uint32_t id, std::uint64_t size_bytes = 64) {
    const auto mapped = memory_.map({.base = {base},
                                     .size_bytes = size_bytes,
                                     .host = storage_.data(),
                                     .id = AllocationId{id}});
    ASSERT_TRUE(mapped) << mapped.error().message;
  }
  Shadow& shadow(std::uint64_t address) { return *memory_.find({address})->shadow; }

  /// The ids of what the launch that ends has touched, in the order in which they are told.
  std::vector<std::uint32_t> end_launch() {
    std::vector<std::uint32_t> ids;
    memory_.end_launch(7, [&](const Region& region, const TouchedExtents& touched) {
      EXPECT_FALSE(touched.reads.empty() && touched.writes.empty());
      ids.push_back(region.id.value);
    });
    return ids;
  }

  std::array<std::byte, 64> storage_{};
  Memory memory_;
};

TEST_F(MemoryTest, TellsWhatALaunchTouchedByAddress) {
  for (std::uint32_t id = 1; id <= 4; ++id) map(id * 0x1000, id);
  shadow(0x4000).write(0, 4);
  shadow(0x2000).read(8, 4);
  shadow(0x2000).write(0, 4);
  EXPECT_EQ(end_launch(), (std::vector<std::uint32_t>{2, 4}));
  EXPECT_EQ(shadow(0x4000).writer(0), 7u);
  EXPECT_TRUE(end_launch().empty()) << "the next launch has touched nothing yet";
  shadow(0x4000).read(0, 4);
  EXPECT_EQ(end_launch(), std::vector<std::uint32_t>{4});
}

TEST_F(MemoryTest, WhatHasEndedIsNotTold) {
  map(0x1000, 1);
  map(0x2000, 2);
  shadow(0x1000).write(0, 4);
  shadow(0x2000).write(0, 4);
  ASSERT_TRUE(memory_.unmap({0x1000}));
  ASSERT_TRUE(memory_.unmap({0x2000}));
  map(0x1000, 3);
  map(0x2000, 4);
  shadow(0x2000).write(0, 4);
  EXPECT_EQ(end_launch(), std::vector<std::uint32_t>{4});
}

TEST_F(MemoryTest, FollowsARegionThatItsOwnerChanges) {
  const auto mapped = memory_.map({.base = {0x1000}, .size_bytes = 64, .host = storage_.data()});
  ASSERT_TRUE(mapped);
  (*mapped)->size_bytes = 0;
  EXPECT_EQ(memory_.find({0x1000}), nullptr);
  std::array<std::byte, 16> bytes{};
  (*mapped)->host = bytes.data();
  (*mapped)->size_bytes = bytes.size();
  EXPECT_EQ(memory_.host({0x1008}, 8), bytes.data() + 8);
  EXPECT_EQ(memory_.host({0x1008}, 9), nullptr);
}

TEST_F(MemoryTest, RemembersWhatAProgramFreed) {
  map(0x1000, 1);
  map(0x2000, 0);
  ASSERT_TRUE(memory_.unmap({0x1000}));
  ASSERT_TRUE(memory_.unmap({0x2000}));
  ASSERT_NE(memory_.freed({0x103F}), nullptr);
  EXPECT_EQ(memory_.freed({0x103F})->id.value, 1u);
  EXPECT_EQ(memory_.freed({0x1040}), nullptr);
  EXPECT_EQ(memory_.freed({0x2000}), nullptr) << "no program allocated it";
}

TEST_F(MemoryTest, FindsTheNearestRegion) {
  map(0x1000, 1);
  map(0x2000, 2);
  EXPECT_EQ(memory_.nearest({0x1050})->id.value, 1u);
  EXPECT_EQ(memory_.nearest({0x1FFF})->id.value, 2u);
  EXPECT_EQ(memory_.nearest({0x10})->id.value, 1u);
  EXPECT_EQ(memory_.nearest({0x2010})->id.value, 2u);
}

}  // namespace
}  // namespace compass
