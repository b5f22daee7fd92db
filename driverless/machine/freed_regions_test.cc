// SPDX-License-Identifier: MIT
#include "driverless/machine/freed_regions.h"

#include <gtest/gtest.h>

namespace compass {
namespace {

Region region(std::uint64_t base, std::uint64_t size_bytes, std::uint32_t id) {
  return {.base = {base}, .size_bytes = size_bytes, .id = AllocationId{id}};
}

std::uint32_t id_at(const FreedRegions& freed, std::uint64_t address) {
  const Region* found = freed.find({address});
  return found == nullptr ? 0 : found->id.value;
}

TEST(FreedRegions, AreFoundByTheirAddressesOnly) {
  FreedRegions freed;
  EXPECT_EQ(freed.find({100}), nullptr);
  freed.add(region(100, 10, 1));
  freed.add(region(120, 10, 2));
  EXPECT_EQ(id_at(freed, 99), 0u);
  EXPECT_EQ(id_at(freed, 100), 1u);
  EXPECT_EQ(id_at(freed, 109), 1u);
  EXPECT_EQ(id_at(freed, 110), 0u);
  EXPECT_EQ(id_at(freed, 129), 2u);
  EXPECT_EQ(id_at(freed, 130), 0u);
}

TEST(FreedRegions, TheLastOneCountsWhereSeveralWere) {
  FreedRegions freed;
  freed.add(region(100, 100, 1));
  freed.add(region(140, 20, 2));
  freed.add(region(190, 20, 3));
  EXPECT_EQ(id_at(freed, 139), 1u);
  EXPECT_EQ(id_at(freed, 140), 2u);
  EXPECT_EQ(id_at(freed, 160), 1u) << "behind the smaller one";
  EXPECT_EQ(id_at(freed, 189), 1u);
  EXPECT_EQ(id_at(freed, 199), 3u);
  EXPECT_EQ(freed.find({160})->base, DeviceAddress{100}) << "it is the whole region";
  freed.add(region(0, 1000, 4));
  for (std::uint64_t at = 0; at < 1000; ++at) ASSERT_EQ(id_at(freed, at), 4u) << at;
}

TEST(FreedRegions, TheOldestAreForgotten) {
  FreedRegions freed(3);
  for (std::uint32_t id = 1; id <= 5; ++id) freed.add(region(id * 100, 50, id));
  EXPECT_EQ(id_at(freed, 100), 0u);
  EXPECT_EQ(id_at(freed, 200), 0u);
  EXPECT_EQ(id_at(freed, 300), 3u);
  EXPECT_EQ(id_at(freed, 500), 5u);
}

TEST(FreedRegions, OneThatTookAnOldOnesPlaceIsNotForgottenWithIt) {
  FreedRegions freed(3);
  freed.add(region(100, 50, 1));
  freed.add(region(200, 50, 2));
  freed.add(region(100, 50, 3));
  freed.add(region(300, 50, 4));
  EXPECT_EQ(id_at(freed, 100), 3u);
  EXPECT_EQ(id_at(freed, 200), 2u);
}

}  // namespace
}  // namespace compass
