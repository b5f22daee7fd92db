// SPDX-License-Identifier: MIT
#include "driverless/kernarg_segment.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <utility>

namespace compass {
namespace {

KernelArgument hidden(std::string kind, std::uint32_t offset, std::uint32_t size) {
  return {kind, kind, ArgumentKind::kHidden, offset, size};
}

Kernel kernel_with(KernelArgument argument) {
  Kernel kernel;
  kernel.kernarg_size_bytes = 64;
  kernel.arguments = {std::move(argument)};
  return kernel;
}

Result<Bytes> segment_of(const Kernel& kernel, ByteView explicit_kernarg = {}) {
  ASSIGN_OR_RETURN(const KernargLayout layout, KernargLayout::of(kernel));
  Bytes segment(100, std::byte{0xEE});  // of an earlier launch
  auto filled = layout.fill(explicit_kernarg, {{5, 6, 7}, {8, 9, 10}, 11, {12}}, segment);
  if (!filled) return std::move(filled).error();
  return segment;
}

/// What stands at a hidden argument of this kind, put at byte 16.
std::uint64_t value_of(const std::string& kind, std::uint32_t size) {
  const auto segment = segment_of(kernel_with(hidden(kind, 16, size)));
  EXPECT_TRUE(segment) << segment.error().message;
  return segment ? load<std::uint64_t>(*segment, 16) : ~std::uint64_t{0};
}

TEST(KernargSegment, FillsWhatTheRuntimeKnows) {
  EXPECT_EQ(value_of("hidden_block_count_x", 4), 5u);
  EXPECT_EQ(value_of("hidden_block_count_z", 4), 7u);
  EXPECT_EQ(value_of("hidden_group_size_y", 2), 9u);
  EXPECT_EQ(value_of("hidden_remainder_x", 2), 0u);
  EXPECT_EQ(value_of("hidden_global_offset_z", 8), 0u);
  EXPECT_EQ(value_of("hidden_grid_dims", 2), 3u);
  EXPECT_EQ(value_of("hidden_dynamic_lds_size", 4), 11u);
  EXPECT_EQ(value_of("hidden_multigrid_sync_arg", 8), 12u);
  EXPECT_EQ(value_of("hidden_shared_base", 4) << 32, std::uint64_t{1} << 48);
  EXPECT_EQ(value_of("hidden_private_base", 4) << 32, std::uint64_t{2} << 48);
}

TEST(KernargSegment, HoldsNothingOfAnEarlierLaunch) {
  Kernel kernel = kernel_with({"x", "by_value", ArgumentKind::kByValue, 0, 4});
  const Bytes four(4, std::byte{0x11});
  Bytes expected(64);
  std::copy(four.begin(), four.end(), expected.begin());
  const auto segment = segment_of(kernel, four);
  ASSERT_TRUE(segment) << segment.error().message;
  EXPECT_EQ(*segment, expected);
}

TEST(KernargSegment, HasNullForServicesThatAreNotThere) {
  for (const char* kind :
       {"hidden_none", "hidden_printf_buffer", "hidden_hostcall_buffer", "hidden_default_queue",
        "hidden_completion_action", "hidden_heap_v1", "hidden_queue_ptr"}) {
    EXPECT_EQ(value_of(kind, 8), 0u) << kind;
  }
}

TEST(KernargSegment, NamesAnArgumentThatCannotBePassed) {
  for (const char* kind : {"image", "sampler", "pipe", "queue", "some_new_kind"}) {
    EXPECT_EQ(segment_of(kernel_with({"texture", kind, ArgumentKind::kOther, 0, 8}), Bytes(8))
                  .error()
                  .message,
              concat("its argument texture is of kind ", kind, ", which is not supported"));
  }
  EXPECT_EQ(segment_of(kernel_with(hidden("hidden_new", 0, 8))).error().message,
            "its argument hidden_new is of kind hidden_new, which is not supported");
  EXPECT_EQ(segment_of(kernel_with(hidden("hidden_block_count_w", 0, 4))).error().code,
            ErrorCode::kUnsupported);
}

TEST(KernargSegment, RefusesWhatDoesNotFit) {
  EXPECT_FALSE(segment_of(kernel_with({"x", "by_value", ArgumentKind::kByValue, 0, 8}), Bytes(4)));
  EXPECT_EQ(segment_of(kernel_with(hidden("hidden_none", 60, 8))).error().code,
            ErrorCode::kCorrupt);
  Kernel kernel;
  kernel.kernarg_size_bytes = ~std::uint32_t{0};
  EXPECT_EQ(segment_of(kernel).error().code, ErrorCode::kUnsupported);
}

}  // namespace
}  // namespace compass
