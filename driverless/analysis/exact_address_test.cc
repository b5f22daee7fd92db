// SPDX-License-Identifier: MIT
#include "driverless/analysis/exact_address.h"

#include <gtest/gtest.h>

#include "driverless/analysis/trace_for_test.h"

namespace compass::analysis {
namespace {

constexpr std::uint64_t kBase = 0x7f00'0000'0000;
constexpr std::uint32_t kLow = static_cast<std::uint32_t>(kBase), kHigh = kBase >> 32;

/// base + 4 * sign-extended v1, as compilers write it; v1 is what `compute` has left there.
std::optional<std::uint64_t> exact(TraceForTest& trace, std::uint32_t index) {
  const std::uint32_t sign = (index & 0x8000'0000) != 0 ? ~0u : 0;
  trace.compute("v_ashrrev_i32", vgpr(2, {sign}), {constant({31}), vgpr(1, {index})});
  const std::uint64_t wide = index | std::uint64_t{sign} << 32;
  const std::uint64_t address = kBase + 4 * wide;
  const auto low = static_cast<std::uint32_t>(address);
  const auto high = static_cast<std::uint32_t>(address >> 32);
  trace.compute("v_lshl_add_u64", vgpr(4, {low, high}),
                {vgpr(1, {index, sign}), constant({2}), sgpr(0, {kLow, kHigh})});
  const auto access = trace.load(vgpr(6, {0}), {vgpr(4, {low, high})}, in_buffer(1, 0, address));
  return exact_address(Definitions(trace.look()), access);
}

TEST(ExactAddress, OfAProductThatWrappedIsWhatItWouldHaveBeen) {
  TraceForTest trace;
  const std::uint32_t row = 70'000, stride = 40'000;  // 2'800'000'000 is negative in 32 bits
  trace.compute("v_mul_lo_u32", vgpr(1, {row * stride}), {vgpr(8, {row}), sgpr(9, {stride})});
  EXPECT_EQ(exact(trace, row * stride), kBase + 4 * (std::uint64_t{row} * stride));
}

TEST(ExactAddress, OfASumThatWrappedIsWhatItWouldHaveBeen) {
  TraceForTest trace;
  const std::uint32_t a = 0x7fff'fff0, b = 0x20;
  trace.compute("v_add_u32", vgpr(1, {a + b}), {vgpr(8, {a}), constant({b})});
  EXPECT_EQ(exact(trace, a + b), kBase + 4 * (std::uint64_t{a} + b));
}

TEST(ExactAddress, GoesThroughSeveralSteps) {
  TraceForTest trace;
  trace.compute("v_lshlrev_b32", vgpr(1, {0}), {constant({16}), vgpr(8, {0x1'0000})});
  trace.compute("v_add_u32", vgpr(1, {5}), {constant({5}), vgpr(1, {0})});
  EXPECT_EQ(exact(trace, 5), kBase + 4 * ((std::uint64_t{1} << 32) + 5));
}

TEST(ExactAddress, IsAbsentWhereNothingWrapped) {
  TraceForTest trace;
  trace.compute("v_mul_lo_u32", vgpr(1, {1200}), {vgpr(8, {30}), sgpr(9, {40})});
  EXPECT_FALSE(exact(trace, 1200));
}

TEST(ExactAddress, TakesNegativeIndicesAsTheyAre) {
  TraceForTest trace;
  trace.compute("v_add_u32", vgpr(1, {~0u}), {vgpr(8, {0}), constant({~0u})});
  EXPECT_FALSE(exact(trace, ~0u));
}

TEST(ExactAddress, DoesNotFollowHashesAndMasks) {
  TraceForTest trace;
  trace.compute("v_mul_lo_u32", vgpr(1, {0x1234'5678}), {vgpr(8, {77'777}), constant({99'999})});
  trace.compute("v_and_b32", vgpr(1, {0x78}), {constant({0xff}), vgpr(1, {0x1234'5678})});
  EXPECT_FALSE(exact(trace, 0x78));
}

TEST(ExactAddress, IsAbsentOfLds) {
  TraceForTest trace;
  trace.compute("v_mul_lo_u32", vgpr(1, {0}), {vgpr(8, {0x1'0000}), constant({0x1'0000})});
  const auto access = trace.load(vgpr(6, {0}), {vgpr(1, {0})}, in_lds(0));
  EXPECT_FALSE(exact_address(Definitions(trace.look()), access));
}

}  // namespace
}  // namespace compass::analysis
