// SPDX-License-Identifier: MIT
#include "driverless/runtime/memory_pool.h"

#include <gtest/gtest.h>

namespace compass {
namespace {

class Pool : public testing::Test {
 protected:
  std::uint64_t value_of(hip::MemPoolAttribute attribute) const {
    std::uint64_t value = 77;
    EXPECT_EQ(pool_.get(attribute, &value), hip::kSuccess);
    return value;
  }

  MemoryPool pool_{0};
};

TEST_F(Pool, CountsWhatItHoldsAndWhatIsInUse) {
  pool_.begin_use(100);
  pool_.begin_use(50);
  pool_.end_use(100);
  EXPECT_EQ(value_of(hip::kMemPoolUsedCurrent), 50u);
  EXPECT_EQ(value_of(hip::kMemPoolReservedCurrent), 150u);
  EXPECT_EQ(value_of(hip::kMemPoolUsedHigh), 150u);
  EXPECT_EQ(pool_.growth_for(100), 0u);
  EXPECT_EQ(pool_.growth_for(130), 30u);
  pool_.begin_use(130);
  EXPECT_EQ(value_of(hip::kMemPoolReservedCurrent), 180u);
  EXPECT_EQ(value_of(hip::kMemPoolReservedHigh), 180u);
}

TEST_F(Pool, GivesBackWhatItHoldsBeyondItsThreshold) {
  pool_.begin_use(100);
  EXPECT_EQ(pool_.trim_to(10), 0u) << "in use";
  pool_.end_use(100);
  std::uint64_t threshold = 40;
  EXPECT_EQ(pool_.set(hip::kMemPoolReleaseThreshold, &threshold), hip::kSuccess);
  EXPECT_EQ(pool_.trim_to(120), 0u) << "more than it holds";
  EXPECT_EQ(pool_.trim_to_threshold(), 60u);
  EXPECT_EQ(value_of(hip::kMemPoolReservedCurrent), 40u);
  pool_.retire();
  EXPECT_EQ(pool_.trim_to_threshold(), 40u);
}

TEST_F(Pool, LetsAProgramSetOnlyWhatHipDocuments) {
  std::uint64_t value = 1;
  EXPECT_EQ(pool_.set(hip::kMemPoolReservedCurrent, &value), hip::kErrorInvalidValue);
  EXPECT_EQ(pool_.set(hip::kMemPoolUsedCurrent, &value), hip::kErrorInvalidValue);
  EXPECT_EQ(pool_.set(hip::kMemPoolUsedHigh, &value), hip::kErrorInvalidValue) << "only 0";
  EXPECT_EQ(pool_.set(static_cast<hip::MemPoolAttribute>(9), &value), hip::kErrorInvalidValue);
  EXPECT_EQ(pool_.get(static_cast<hip::MemPoolAttribute>(0), &value), hip::kErrorInvalidValue);
  pool_.begin_use(8);
  pool_.end_use(8);
  value = 0;
  EXPECT_EQ(pool_.set(hip::kMemPoolUsedHigh, &value), hip::kSuccess);
  EXPECT_EQ(value_of(hip::kMemPoolUsedHigh), 0u);
  EXPECT_EQ(value_of(hip::kMemPoolReservedHigh), 8u);
}

TEST_F(Pool, KeepsItsSwitches) {
  int on = 0;
  EXPECT_EQ(pool_.get(hip::kMemPoolReuseAllowOpportunistic, &on), hip::kSuccess);
  EXPECT_EQ(on, 1);
  on = 0;
  EXPECT_EQ(pool_.set(hip::kMemPoolReuseAllowOpportunistic, &on), hip::kSuccess);
  on = 5;
  EXPECT_EQ(pool_.get(hip::kMemPoolReuseAllowOpportunistic, &on), hip::kSuccess);
  EXPECT_EQ(on, 0);
  EXPECT_EQ(pool_.get(hip::kMemPoolReuseAllowInternalDependencies, &on), hip::kSuccess);
  EXPECT_EQ(on, 1) << "another one";
}

TEST_F(Pool, IsAccessibleFromItsOwnDevice) {
  EXPECT_EQ(pool_.access_of(0), hip::kMemAccessReadWrite);
  EXPECT_EQ(pool_.access_of(1), hip::kMemAccessNone);
  pool_.set_access(1, hip::kMemAccessRead);
  EXPECT_EQ(pool_.access_of(1), hip::kMemAccessRead);
}

TEST(LimitedPool, HasRoomForItsLimitOnly) {
  MemoryPool pool(0, 100);
  EXPECT_TRUE(pool.has_room_for(100));
  EXPECT_FALSE(pool.has_room_for(101));
  pool.begin_use(60);
  EXPECT_FALSE(pool.has_room_for(41));
  EXPECT_FALSE(pool.has_room_for(~std::uint64_t{0}));
}

}  // namespace
}  // namespace compass
