// SPDX-License-Identifier: MIT
#include "driverless/runtime/occupancy.h"

#include <gtest/gtest.h>

namespace compass {
namespace {

class OccupancyTest : public testing::Test {
 protected:
  std::uint32_t workgroups(std::uint32_t workitems, std::uint64_t dynamic_lds_bytes = 0) const {
    return Occupancy(*arch::find("gfx942"), kernel_, dynamic_lds_bytes)
        .workgroups_per_compute_unit(workitems);
  }

  Kernel kernel_;
};

TEST_F(OccupancyTest, AComputeUnitHolds32Waves) {
  EXPECT_EQ(workgroups(64), 32u);
  EXPECT_EQ(workgroups(1), 32u) << "a wave all the same";
  EXPECT_EQ(workgroups(1024), 2u);
  EXPECT_EQ(workgroups(1025), 0u);
}

TEST_F(OccupancyTest, VgprsAreAllocatedInEightsOf512) {
  kernel_.vgpr_count = 64;
  EXPECT_EQ(workgroups(64), 32u);
  kernel_.vgpr_count = 65;
  EXPECT_EQ(workgroups(64), 28u) << "7 times 72";
  kernel_.vgpr_count = 512;
  EXPECT_EQ(workgroups(64), 4u);
  EXPECT_EQ(workgroups(512), 0u) << "8 waves where 4 fit";
}

TEST_F(OccupancyTest, SgprsAreAllocatedInSixteensOf800) {
  kernel_.sgpr_count = 96;
  EXPECT_EQ(workgroups(64), 32u);
  kernel_.sgpr_count = 97;
  EXPECT_EQ(workgroups(64), 28u) << "7 times 112";
}

TEST_F(OccupancyTest, LdsIsSharedByTheWorkgroups) {
  kernel_.lds_size_bytes = 16384;
  EXPECT_EQ(workgroups(64), 4u);
  EXPECT_EQ(workgroups(64, 1), 3u);
  EXPECT_EQ(workgroups(64, 65536), 0u);
  EXPECT_EQ(workgroups(64, ~std::uint64_t{0}), 0u);
}

TEST_F(OccupancyTest, BestSizeFillsTheDevice) {
  const arch::Architecture& gfx942 = *arch::find("gfx942");
  kernel_.vgpr_count = 256;
  const Occupancy::Best best = Occupancy(gfx942, kernel_, 0).best(0);
  EXPECT_EQ(best.workgroup_workitems, 512u) << "8 waves of 256 registers";
  EXPECT_EQ(best.grid_workgroups, 304u);
  const Occupancy::Best small = Occupancy(gfx942, kernel_, 0).best(100);
  EXPECT_EQ(small.workgroup_workitems, 128u);
  EXPECT_EQ(small.grid_workgroups, 4 * 304u);
}

TEST(AvailableLds, IsAnEqualShareLessTheKernelsOwn) {
  Kernel kernel;
  kernel.lds_size_bytes = 1000;
  EXPECT_EQ(available_dynamic_lds_bytes(*arch::find("gfx942"), kernel, 4), 16384u - 1000);
  EXPECT_EQ(available_dynamic_lds_bytes(*arch::find("gfx942"), kernel, 66), 0u);
}

}  // namespace
}  // namespace compass
