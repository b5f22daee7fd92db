// SPDX-License-Identifier: MIT
#include "driverless/analysis/nonfinite.h"

#include <gtest/gtest.h>

#include <limits>

#include "driverless/analysis/trace_for_test.h"

namespace compass::analysis {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
const float kNan = std::numeric_limits<float>::quiet_NaN();

std::optional<std::size_t> origin_of(TraceForTest& trace, const TracedValue& data) {
  const auto store = trace.store({sgpr(0, {0, 0})}, data, in_buffer(7, 0));
  return nonfinite_origin(Definitions(trace.look()), store);
}

TEST(IsNonfinite, KnowsEachWidth) {
  EXPECT_TRUE(is_nonfinite(f32(1, kInfinity)));
  EXPECT_TRUE(is_nonfinite(f32(1, kNan)));
  EXPECT_FALSE(is_nonfinite(f32(1, 3.4e38f)));
  EXPECT_TRUE(is_nonfinite(value_of(Kind::kVgpr, 1, {0x7C00}, Number::kF16)));
  EXPECT_TRUE(is_nonfinite(value_of(Kind::kVgpr, 1, {0x7C00'0000}, Number::kF16x2)));
  EXPECT_TRUE(is_nonfinite(value_of(Kind::kVgpr, 1, {0, 0x7FF0'0000}, Number::kF64)));
  EXPECT_TRUE(is_nonfinite(value_of(Kind::kVgpr, 1, {0, 0x7F80'0000}, Number::kF32x2)));
  EXPECT_TRUE(is_nonfinite(value_of(Kind::kVgpr, 1, {0, 0, 0x7FC0'0000}, Number::kF32s)));
  EXPECT_FALSE(is_nonfinite(vgpr(1, {0x7F80'0000}))) << "bits that are no number";
}

TEST(NonfiniteOrigin, IsWhatMadeItOfFiniteNumbers) {
  TraceForTest trace;
  trace.load(f32(1, 1e30f), {sgpr(2, {0, 0})}, in_buffer(5, 0));
  const auto product =
      trace.compute("v_mul_f32", f32(2, kInfinity), {f32(1, 1e30f), f32(1, 1e30f)});
  trace.compute("v_add_f32", f32(3, kInfinity), {f32(2, kInfinity), f32_constant(1)});
  EXPECT_EQ(origin_of(trace, vgpr(3, {0x7F80'0000})), product);
}

TEST(NonfiniteOrigin, IsNoneWhereItWasLoaded) {
  TraceForTest trace;
  trace.load(f32(1, kNan), {sgpr(2, {0, 0})}, in_buffer(5, 0));
  trace.compute("v_add_f32", f32(2, kNan), {f32(1, kNan), f32_constant(1)});
  EXPECT_FALSE(origin_of(trace, vgpr(2, {0x7FC0'0000})));
}

TEST(NonfiniteOrigin, IsNoneWhereItIsAConstant) {
  TraceForTest trace;
  trace.compute("v_mov_b32", vgpr(1, {0xFF80'0000}), {constant({0xFF80'0000})});
  EXPECT_FALSE(origin_of(trace, vgpr(1, {0xFF80'0000})));
}

TEST(NonfiniteOrigin, IsWhatMakesNanOfInfinitiesThatTheKernelBrought) {
  TraceForTest trace;
  trace.compute("v_mov_b32", f32(1, -kInfinity), {f32_constant(-kInfinity)});
  const auto difference =
      trace.compute("v_sub_f32", f32(2, kNan), {f32(1, -kInfinity), f32(1, -kInfinity)});
  EXPECT_EQ(origin_of(trace, vgpr(2, {0x7FC0'0000})), difference);
}

TEST(NonfiniteOrigin, IsFoundBehindTheRoundingToHalfAFloat) {
  TraceForTest trace;
  const auto product =
      trace.compute("v_mul_f32", f32(2, kInfinity), {f32_constant(1e30f), f32_constant(1e30f)});
  trace.compute("v_add3_u32", vgpr(3, {0x7F80'7FFF}),
                {vgpr(2, {0x7F80'0000}), constant({0}), constant({0x7FFF})});
  trace.compute("v_lshrrev_b32", vgpr(3, {0x7F80}), {constant({16}), vgpr(3, {0x7F80'7FFF})});
  EXPECT_EQ(origin_of(trace, vgpr(3, {0x7F80})), product);
}

TEST(NonfiniteOrigin, IsAMatrixInstructionThatTakesNoneFromAnyLane) {
  for (const bool takes_finite : {true, false}) {
    TraceForTest trace;
    const auto product = trace.compute("v_mfma_f32_16x16x4_f32", vgpr(4, {0x7F80'0000}),
                                       {vgpr(1, {0}), vgpr(2, {0})}, TraceStep::Kind::kMatrix);
    trace.last().takes_finite = takes_finite;
    const auto origin = origin_of(trace, vgpr(4, {0x7F80'0000}));
    EXPECT_EQ(origin.has_value(), takes_finite);
    if (origin) {
      EXPECT_EQ(*origin, product);
    }
  }
}

}  // namespace
}  // namespace compass::analysis
