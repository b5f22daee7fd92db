// SPDX-License-Identifier: MIT
#include "driverless/runtime/watched_memory.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>

namespace compass {
namespace {

constexpr std::uint64_t kSize = 3 * 4096;

class WatchedMemoryTest : public testing::Test {
 protected:
  void SetUp() override {
    auto created = WatchedMemory::create([this] {
      ++polls_;
      if (runtime_ != nullptr) __atomic_store_n(runtime_, 7u, __ATOMIC_RELEASE);
    });
    if (!created) GTEST_SKIP() << created.error().message;
    memory_ = std::move(created).value();
    program_ = static_cast<std::byte*>(
        ::mmap(nullptr, kSize, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    auto added = memory_->add(program_, kSize);
    ASSERT_TRUE(added.has_value()) << added.error().message;
    runtime_ = reinterpret_cast<std::uint32_t*>(*added);
  }
  volatile std::uint32_t* words() { return reinterpret_cast<std::uint32_t*>(program_); }

  std::atomic<int> polls_ = 0;
  std::unique_ptr<WatchedMemory> memory_;
  std::byte* program_ = nullptr;
  std::uint32_t* runtime_ = nullptr;
};

TEST_F(WatchedMemoryTest, HasTheSameBytesOnBothSides) {
  runtime_[2] = 5;
  EXPECT_EQ(words()[2], 5u);
  words()[1024] = 6;
  EXPECT_EQ(runtime_[1024], 6u);
  EXPECT_EQ(polls_, 0);
}

TEST_F(WatchedMemoryTest, HearsAHostThatPollsTheSamePlace) {
  memory_->arm();
  while (words()[0] == 0) {
  }
  EXPECT_EQ(words()[0], 7u);
  EXPECT_GE(polls_, 1);
}

TEST_F(WatchedMemoryTest, TakesReadingOnForNoPoll) {
  memory_->arm();
  for (std::size_t i = 0; i < kSize / 4; i += 64) {
    EXPECT_EQ(words()[i], 0u);
    ::usleep(100);
  }
  EXPECT_EQ(polls_, 0) << "each place was touched once";
}

TEST_F(WatchedMemoryTest, HearsNothingWhereItIsNotArmed) {
  memory_->arm();
  memory_->disarm();
  for (int i = 0; i < 50; ++i) {
    EXPECT_EQ(words()[0], 0u);
    ::usleep(100);
  }
  EXPECT_EQ(polls_, 0);
}

TEST_F(WatchedMemoryTest, HearsThroughMemoryThatWasInUseBefore) {
  for (std::size_t i = 0; i < kSize / 4; ++i) words()[i] = static_cast<std::uint32_t>(i);
  memory_->arm();
  EXPECT_EQ(words()[5], 5u);
  for (std::uint32_t seen = 5; polls_ == 0; seen = words()[5]) ASSERT_EQ(seen, 5u);
  EXPECT_EQ(words()[2000], 2000u) << "the bytes are kept";
}

TEST_F(WatchedMemoryTest, LetsSystemCallsIn) {
  memory_->arm();
  const int zeros = ::open("/dev/zero", O_RDONLY);
  words()[0] = 5;
  EXPECT_EQ(::read(zeros, program_, kSize), static_cast<ssize_t>(kSize));
  ::close(zeros);
  EXPECT_EQ(runtime_[0], 0u);
}

TEST_F(WatchedMemoryTest, GivesTheRangeBack) {
  memory_->arm();
  memory_->remove(program_);
  EXPECT_EQ(words()[0], 0u);
  words()[0] = 1;
  EXPECT_EQ(polls_, 0);
  runtime_ = nullptr;
}

}  // namespace
}  // namespace compass
