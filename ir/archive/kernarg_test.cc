// SPDX-License-Identifier: MIT
#include "ir/archive/kernarg.h"

#include <gtest/gtest.h>

namespace compass::archive {
namespace {

class SplitKernarg : public testing::Test {
 protected:
  void SetUp() override {
    table_.allocate(AllocationKind::kDevice, {0x1000}, 0x100);
    table_.allocate(AllocationKind::kPinnedHost, {0x8000}, 0x100);
  }
  void put(std::size_t offset, std::uint64_t value) {
    std::memcpy(kernarg_.data() + offset, &value, sizeof value);
  }
  std::vector<LaunchArgument> split(std::vector<KernelArgument> arguments) {
    Kernel kernel;
    kernel.arguments = std::move(arguments);
    auto result = split_kernarg(kernel, kernarg_, table_);
    EXPECT_TRUE(result);
    return result ? *result : std::vector<LaunchArgument>{};
  }
  LaunchArgument bytes_at(std::uint32_t offset, std::uint32_t size) const {
    return {offset,
            size,
            false,
            {},
            Bytes(kernarg_.begin() + offset, kernarg_.begin() + offset + size)};
  }

  std::vector<Allocation> allocations_;
  MemoryTable table_{allocations_};
  Bytes kernarg_ = Bytes(40, std::byte{0x55});
};

LaunchArgument pointer_at(std::uint32_t offset, MemoryRef memory) {
  return {offset, 8, true, memory, {}};
}

TEST_F(SplitKernarg, MakesPlacesOfGlobalBuffers) {
  put(0, 0x1010);
  put(8, 0);
  put(16, 0xdead);
  const std::vector<LaunchArgument> expected = {pointer_at(0, {{1}, 0x10}), pointer_at(8, {}),
                                                pointer_at(16, {{}, 0xdead})};
  EXPECT_EQ(split({{"x", "", ArgumentKind::kGlobalBuffer, 0, 8},
                   {"y", "", ArgumentKind::kGlobalBuffer, 8, 8},
                   {"z", "", ArgumentKind::kGlobalBuffer, 16, 8},
                   {"", "hidden_none", ArgumentKind::kHidden, 24, 800}}),
            expected);
}

TEST_F(SplitKernarg, FindsPointersInsideValues) {
  put(8, 0x1000);
  put(24, 0x8100);
  const std::vector<LaunchArgument> expected = {bytes_at(4, 4), pointer_at(8, {{1}, 0}),
                                                bytes_at(16, 8), pointer_at(24, {{2}, 0x100}),
                                                bytes_at(32, 4)};
  EXPECT_EQ(split({{"s", "by_value", ArgumentKind::kByValue, 4, 32}}), expected);
}

TEST_F(SplitKernarg, LeavesValuesWithoutPointersWhole) {
  put(0, 0x12);
  EXPECT_EQ(split({{"n", "by_value", ArgumentKind::kByValue, 0, 40}}),
            std::vector{bytes_at(0, 40)});
  put(4, 0x1000);  // not aligned
  EXPECT_EQ(split({{"n", "by_value", ArgumentKind::kByValue, 0, 12}}),
            std::vector{bytes_at(0, 12)});
}

TEST_F(SplitKernarg, RefusesAKernargThatIsTooShort) {
  Kernel kernel;
  kernel.arguments = {{"n", "by_value", ArgumentKind::kByValue, 38, 4}};
  const auto result = split_kernarg(kernel, kernarg_, table_);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().message, "its kernarg has 40 bytes, an argument ends at 42");
}

}  // namespace
}  // namespace compass::archive
