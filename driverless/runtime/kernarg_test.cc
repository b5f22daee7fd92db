// SPDX-License-Identifier: MIT
#include "driverless/runtime/kernarg.h"

#include <gtest/gtest.h>

namespace compass {
namespace {

KernelArgument make_argument(ArgumentKind kind, std::uint32_t offset, std::uint32_t size) {
  return {.name = "", .value_kind = "", .kind = kind, .offset_bytes = offset, .size_bytes = size};
}

Kernel make_kernel() {
  Kernel kernel;
  kernel.name = "scale";
  kernel.kernarg_size_bytes = 280;
  kernel.arguments = {
      make_argument(ArgumentKind::kGlobalBuffer, 0, 8), make_argument(ArgumentKind::kByValue, 8, 1),
      make_argument(ArgumentKind::kByValue, 12, 4), make_argument(ArgumentKind::kHidden, 16, 4)};
  return kernel;
}

TEST(Kernarg, PutsEachValueAtItsOffset) {
  const std::uint64_t pointer = 0x1122'3344'5566'7788;
  const std::uint8_t shift = 0x99;
  const std::uint32_t count = 0xAABB'CCDD;
  const void* const values[] = {&pointer, &shift, &count};
  const Result<Bytes> kernarg = pack_kernarg(make_kernel(), values);
  ASSERT_TRUE(kernarg) << kernarg.error().message;
  ASSERT_EQ(kernarg->size(), 16u) << "hidden arguments are the agent's";
  EXPECT_EQ(load<std::uint64_t>(*kernarg, 0), pointer);
  EXPECT_EQ(load<std::uint32_t>(*kernarg, 8), 0x99u) << "padding is zero";
  EXPECT_EQ(load<std::uint32_t>(*kernarg, 12), count);
}

TEST(Kernarg, RefusesMissingValues) {
  const std::uint64_t pointer = 1;
  const void* const values[] = {&pointer, nullptr, nullptr};
  EXPECT_EQ(pack_kernarg(make_kernel(), values).error().message,
            "kernel scale: argument 1 has no value");
  EXPECT_EQ(pack_kernarg(make_kernel(), nullptr).error().message,
            "kernel scale: argument 0 has no value");
}

TEST(Kernarg, NeedsNothingForAKernelWithoutArguments) {
  const Result<Bytes> kernarg = pack_kernarg(Kernel{}, nullptr);
  ASSERT_TRUE(kernarg) << kernarg.error().message;
  EXPECT_TRUE(kernarg->empty());
}

TEST(Kernarg, RefusesKindsThatHaveNoValue) {
  Kernel kernel = make_kernel();
  kernel.arguments[0] = {.name = "",
                         .value_kind = "image",
                         .kind = ArgumentKind::kOther,
                         .offset_bytes = 0,
                         .size_bytes = 8};
  EXPECT_EQ(pack_kernarg(kernel, nullptr).error().message,
            "kernel scale: argument 0 is of kind image");
}

}  // namespace
}  // namespace compass
