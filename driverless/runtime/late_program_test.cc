// SPDX-License-Identifier: MIT

// A program under COMPASS_COPIES=late: asynchronous work runs when the host waits, asks again, or
// polls memory, and no sooner.

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdint>

#include "driverless/runtime/api.h"

namespace compass::hip {
namespace {

class LateProgram : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(hipMalloc(&device_, kBytes), kSuccess);
    ASSERT_EQ(hipMemset(device_, 0xAB, kBytes), kSuccess);
    ASSERT_EQ(hipHostMalloc(&pinned_, kBytes, 0), kSuccess);
    *host() = 1;
    ASSERT_EQ(hipStreamCreate(&stream_), kSuccess);
  }
  void TearDown() override {
    EXPECT_EQ(hipStreamDestroy(stream_), kSuccess);
    EXPECT_EQ(hipFree(device_), kSuccess);
    EXPECT_EQ(hipHostFree(pinned_), kSuccess);
  }
  Error copy_to_host() {
    return hipMemcpyAsync(pinned_, device_, kBytes, kMemcpyDeviceToHost, stream_);
  }
  volatile std::uint32_t* host() const { return static_cast<std::uint32_t*>(pinned_); }

  static constexpr std::size_t kBytes = 64;
  static constexpr std::uint32_t kCopied = 0xABAB'ABAB;
  void* device_ = nullptr;
  void* pinned_ = nullptr;
  Stream stream_ = nullptr;
};

TEST_F(LateProgram, ReadsBeforeTheCopyHasLanded) {
  ASSERT_EQ(copy_to_host(), kSuccess);
  EXPECT_EQ(*host(), 1u);
  ASSERT_EQ(hipStreamSynchronize(stream_), kSuccess);
  EXPECT_EQ(*host(), kCopied);
}

TEST_F(LateProgram, RewritesAStagingBufferBeforeTheCopyHasReadIt) {
  *host() = 2;
  ASSERT_EQ(hipMemcpyAsync(device_, pinned_, kBytes, kMemcpyHostToDevice, stream_), kSuccess);
  *host() = 3;
  ASSERT_EQ(hipStreamSynchronize(stream_), kSuccess);
  std::uint32_t arrived = 0;
  ASSERT_EQ(hipMemcpy(&arrived, device_, sizeof arrived, kMemcpyDeviceToHost), kSuccess);
  EXPECT_EQ(arrived, 3u);
}

TEST_F(LateProgram, TakesTheBytesOfPageableMemoryAtEnqueue) {
  std::uint32_t value = 2;
  ASSERT_EQ(hipMemcpyAsync(device_, &value, sizeof value, kMemcpyHostToDevice, stream_), kSuccess);
  value = 3;
  std::uint32_t arrived = 0;
  ASSERT_EQ(hipMemcpyAsync(&arrived, device_, sizeof arrived, kMemcpyDeviceToHost, stream_),
            kSuccess);
  EXPECT_EQ(arrived, 2u) << "a copy to pageable memory returns when it has run";
}

TEST_F(LateProgram, IsReadyTheSecondTimeTheHostAsks) {
  ASSERT_EQ(copy_to_host(), kSuccess);
  EXPECT_EQ(hipStreamQuery(stream_), kErrorNotReady);
  EXPECT_EQ(*host(), 1u);
  EXPECT_EQ(hipStreamQuery(stream_), kSuccess);
  EXPECT_EQ(*host(), kCopied);
}

TEST_F(LateProgram, GetsOnWhereTheHostPollsMemory) {
  ASSERT_EQ(copy_to_host(), kSuccess);
  while (*host() == 1) {
  }
  EXPECT_EQ(*host(), kCopied);
}

TEST_F(LateProgram, FinishesWorkBeforeMemoryEnds) {
  void* other = nullptr;
  ASSERT_EQ(hipMalloc(&other, kBytes), kSuccess);
  ASSERT_EQ(hipMemsetAsync(other, 5, kBytes, stream_), kSuccess);
  ASSERT_EQ(hipMemcpyAsync(pinned_, other, kBytes, kMemcpyDeviceToHost, stream_), kSuccess);
  ASSERT_EQ(hipFree(other), kSuccess);
  EXPECT_EQ(*host(), 0x0505'0505u);
}

TEST_F(LateProgram, HasNoDeviceInAForkedChild) {
  const pid_t child = ::fork();
  if (child == 0) {
    void* pointer = nullptr;
    const bool refused = hipMalloc(&pointer, 64) == kErrorNotInitialized &&
                         hipDeviceSynchronize() == kErrorNotInitialized;
    ::_exit(refused ? 0 : 1);
  }
  int status = -1;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(copy_to_host(), kSuccess) << "the parent goes on";
}

}  // namespace
}  // namespace compass::hip
