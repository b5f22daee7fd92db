// SPDX-License-Identifier: MIT

// A program whose streams write values into memory and wait for them; early and late.

#include <gtest/gtest.h>

#include <cstdint>

#include "driverless/runtime/api.h"

namespace compass::hip {
namespace {

enum Condition : unsigned { kGte = 0, kEq = 1, kAnd = 2, kNor = 3 };

class StreamValueProgram : public testing::Test {
 protected:
  void SetUp() override {
    void* pointer = nullptr;
    ASSERT_EQ(hipHostMalloc(&pointer, 64, 0), kSuccess);
    words_ = static_cast<std::uint64_t*>(pointer);
    ASSERT_EQ(hipStreamCreateWithFlags(&waiting_, kStreamNonBlocking), kSuccess);
    ASSERT_EQ(hipStreamCreateWithFlags(&writing_, kStreamNonBlocking), kSuccess);
  }
  void TearDown() override {
    EXPECT_EQ(hipStreamDestroy(waiting_), kSuccess);
    EXPECT_EQ(hipStreamDestroy(writing_), kSuccess);
    EXPECT_EQ(hipHostFree(words_), kSuccess);
  }

  /// Whether a wait goes on at once where the 32-bit word is `found`. If not, it is let go.
  bool passes(std::uint32_t found, std::uint32_t value, Condition condition, std::uint32_t mask,
              std::uint32_t other) {
    EXPECT_EQ(hipStreamWriteValue32(writing_, words_, found, 0), kSuccess);
    EXPECT_EQ(hipStreamSynchronize(writing_), kSuccess);
    EXPECT_EQ(hipStreamWaitValue32(waiting_, words_, value, condition, mask), kSuccess);
    EXPECT_NE(hipStreamQuery(waiting_), kErrorInvalidHandle);
    const bool passed = hipStreamQuery(waiting_) == kSuccess;
    EXPECT_EQ(hipStreamWriteValue32(writing_, words_, other, 0), kSuccess);
    EXPECT_EQ(hipStreamSynchronize(waiting_), kSuccess);
    return passed;
  }

  std::uint64_t* words_ = nullptr;
  Stream waiting_ = nullptr;
  Stream writing_ = nullptr;
};

constexpr std::uint32_t kAll = 0xFFFF'FFFF;

TEST_F(StreamValueProgram, WaitsByEachConditionOfTheMaskedValue) {
  EXPECT_TRUE(passes(5, 5, kGte, kAll, 5));
  EXPECT_TRUE(passes(0x8000'0005, 5, kGte, kAll, 5)) << "without a sign";
  EXPECT_FALSE(passes(4, 5, kGte, kAll, 5));
  EXPECT_TRUE(passes(0xF5, 5, kEq, 0xF, 5));
  EXPECT_FALSE(passes(0xF5, 5, kEq, kAll, 5));
  EXPECT_TRUE(passes(6, 2, kAnd, kAll, 2));
  EXPECT_FALSE(passes(4, 2, kAnd, kAll, 2));
  EXPECT_TRUE(passes(0xF, 0xF0, kNor, kAll, 0));
  EXPECT_FALSE(passes(0xFFFF'0000, 0xFFFF, kNor, kAll, 0)) << "no bit of the 32 is off";
}

TEST_F(StreamValueProgram, WritesAndWaitsForSixtyFourBits) {
  constexpr std::uint64_t kValue = 0x1'0000'0000;
  ASSERT_EQ(hipStreamWaitValue64(waiting_, words_, kValue, kEq, ~std::uint64_t{0}), kSuccess);
  ASSERT_EQ(hipStreamWriteValue64(waiting_, words_ + 1, 7, 0), kSuccess);
  ASSERT_EQ(hipStreamWriteValue64(writing_, words_, kValue, 0), kSuccess);
  ASSERT_EQ(hipStreamSynchronize(waiting_), kSuccess);
  EXPECT_EQ(words_[1], 7u);
}

TEST_F(StreamValueProgram, RefusesWhatIsNoValueOfTheDevices) {
  std::uint64_t own = 0;
  auto* const odd = reinterpret_cast<char*>(words_) + 2;
  EXPECT_EQ(hipStreamWriteValue32(writing_, &own, 1, 0), kErrorInvalidValue);
  EXPECT_EQ(hipStreamWriteValue32(writing_, nullptr, 1, 0), kErrorInvalidValue);
  EXPECT_EQ(hipStreamWriteValue32(writing_, odd, 1, 0), kErrorInvalidValue);
  EXPECT_EQ(hipStreamWaitValue32(waiting_, words_, 1, kNor + 1, kAll), kErrorInvalidValue);
  EXPECT_EQ(hipStreamWaitValue64(waiting_, words_ + 8, 1, kEq, 1), kErrorInvalidValue);
}

}  // namespace
}  // namespace compass::hip
