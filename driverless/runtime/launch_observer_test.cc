// SPDX-License-Identifier: MIT
#include "driverless/runtime/launch_observer.h"

#include <gtest/gtest.h>

namespace compass {
namespace {

class LaunchObserverTest : public testing::Test {
 protected:
  Memory memory_;
  DeviceMemory device_memory_{memory_};
  std::string kernel_ = "gemm";
};

TEST_F(LaunchObserverTest, SaysOnceThatALaunchTakesLong) {
  LaunchObserver observer(kernel_, {}, device_memory_, std::chrono::seconds(0));
  testing::internal::CaptureStderr();
  observer.on_progress(1, 100);
  observer.on_progress(1, 200);
  EXPECT_EQ(
      testing::internal::GetCapturedStderr(),
      "compass-capture: kernel gemm has run 100 wavefront instructions in 0 s and goes on; if it "
      "waits for the host, --copies late may let it end\n");
}

TEST_F(LaunchObserverTest, IsPatient) {
  LaunchObserver observer(kernel_, {}, device_memory_, std::chrono::hours(1));
  testing::internal::CaptureStderr();
  observer.on_progress(1, 100);
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

}  // namespace
}  // namespace compass
