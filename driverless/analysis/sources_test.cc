// SPDX-License-Identifier: MIT
#include "driverless/analysis/sources.h"

#include <gtest/gtest.h>

#include "driverless/analysis/trace_for_test.h"

namespace compass::analysis {
namespace {

using SourceKind = ValueSource::Kind;

std::vector<SourceKind> kinds_of(const std::vector<ValueSource>& sources) {
  std::vector<SourceKind> kinds;
  for (const ValueSource& each : sources) kinds.push_back(each.kind);
  return kinds;
}

TEST(Definitions, AreTheLastBeforeTheStep) {
  TraceForTest trace;
  trace.compute("v_mov_b32", vgpr(1, {1}), {constant({1})});
  const auto second = trace.compute("v_mov_b32", vgpr(1, {2}), {constant({2})});
  const auto use = trace.compute("v_mov_b32", vgpr(2, {2}), {vgpr(1, {2})});
  trace.compute("v_mov_b32", vgpr(1, {3}), {constant({3})});
  const Definitions definitions(trace.look());
  const auto found = definitions.of(vgpr(1, {2}), 0, use);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->step, second);
  EXPECT_FALSE(definitions.of(vgpr(9, {0}), 0, use));
}

TEST(Definitions, LeaveOutWhatALaneThatWasOffWouldHaveWritten) {
  TraceForTest trace;
  const auto first = trace.compute("v_mov_b32", vgpr(1, {1}), {constant({1})});
  trace.compute("v_mov_b32", vgpr(1, {2}), {constant({2})});
  trace.switch_off();
  const auto use = trace.compute("v_mov_b32", vgpr(2, {1}), {vgpr(1, {1})});
  const auto found = Definitions(trace.look()).of(vgpr(1, {1}), 0, use);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->step, first);
}

TEST(Definitions, KnowWhichWordOfAWideResult) {
  TraceForTest trace;
  trace.load(vgpr(4, {1, 2, 3, 4}), {sgpr(0, {0, 0})}, in_buffer(1, 0));
  const auto use = trace.compute("v_mov_b32", vgpr(9, {3}), {vgpr(6, {3})});
  const auto found = Definitions(trace.look()).of(vgpr(6, {3}), 0, use);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->word, 2u);
}

TEST(Sources, OfAnAddressAreItsIndexAndItsPointer) {
  TraceForTest trace;
  trace.load(sgpr(0, {0x1000, 0}), {sgpr(8, {0, 0})}, in_kernarg(16));
  trace.load(vgpr(1, {7}), {sgpr(2, {0, 0})}, in_buffer(5, 12));
  trace.compute("v_lshlrev_b32", vgpr(1, {28}), {constant({2}), vgpr(1, {7})});
  const auto access =
      trace.load(vgpr(3, {0}), {vgpr(1, {28}), sgpr(0, {0x1000, 0})}, in_buffer(6, 28));
  const auto sources = sources_of_address(Definitions(trace.look()), access);
  ASSERT_EQ(kinds_of(sources),
            (std::vector{SourceKind::kArgument, SourceKind::kArgument, SourceKind::kMemory}));
  EXPECT_EQ(sources[0].access.offset_bytes, 16u);
  EXPECT_EQ(sources[0].words, std::vector<std::uint32_t>{0x1000});
  EXPECT_EQ(sources[1].access.offset_bytes, 20u);
  EXPECT_EQ(sources[2].access.allocation.value, 5u);
  EXPECT_EQ(sources[2].words, std::vector<std::uint32_t>{7});
}

TEST(Sources, OfAnAddressAreOnlyTheArgumentsThatItTakes) {
  TraceForTest trace;
  trace.load(sgpr(0, {0x1000, 0, 0x2000, 0}), {sgpr(8, {0, 0})}, in_kernarg(0));
  const auto access =
      trace.load(vgpr(3, {0}), {constant({0}), sgpr(2, {0x2000, 0})}, in_buffer(6, 0));
  const auto sources = sources_of_address(Definitions(trace.look()), access);
  ASSERT_EQ(sources.size(), 2u);
  EXPECT_EQ(sources[0].access.offset_bytes, 8u);
  EXPECT_EQ(sources[1].access.offset_bytes, 12u);
}

TEST(Sources, OfAChoiceAreThoseOfWhatWasChosen) {
  TraceForTest trace;
  trace.load(vgpr(1, {7}), {sgpr(2, {0, 0})}, in_buffer(5, 0));
  trace.load(vgpr(2, {9}), {sgpr(4, {0, 0})}, in_buffer(6, 0));
  TracedValue mask = sgpr(106, {1, 0});
  mask.is_mask = true;
  trace.compute("v_cndmask_b32", vgpr(3, {9}), {vgpr(1, {7}), vgpr(2, {9}), mask});
  const auto store = trace.store({sgpr(0, {0, 0})}, vgpr(3, {9}), in_buffer(7, 0));
  const auto sources = sources_of_data(Definitions(trace.look()), store);
  ASSERT_EQ(sources.size(), 1u);
  EXPECT_EQ(sources[0].access.allocation.value, 6u);
}

TEST(Sources, GoThroughLds) {
  TraceForTest trace;
  trace.load(vgpr(1, {7}), {sgpr(2, {0, 0})}, in_buffer(5, 0));
  trace.store({vgpr(8, {64})}, vgpr(1, {7}), in_lds(64));
  trace.load(vgpr(2, {7}), {vgpr(8, {64})}, in_lds(64));
  const auto store = trace.store({sgpr(0, {0, 0})}, vgpr(2, {7}), in_buffer(7, 0));
  const auto sources = sources_of_data(Definitions(trace.look()), store);
  ASSERT_EQ(kinds_of(sources), std::vector{SourceKind::kMemory});
  EXPECT_EQ(sources[0].access.allocation.value, 5u);
}

TEST(Sources, OfLdsThatAnotherLaneWroteIsLds) {
  TraceForTest trace;
  trace.load(vgpr(2, {7}), {vgpr(8, {64})}, in_lds(64));
  const auto store = trace.store({sgpr(0, {0, 0})}, vgpr(2, {7}), in_buffer(7, 0));
  const auto sources = sources_of_data(Definitions(trace.look()), store);
  ASSERT_EQ(kinds_of(sources), std::vector{SourceKind::kMemory});
  EXPECT_EQ(sources[0].access.space, AddressSpace::kLds);
}

TEST(Sources, OfAProductOfMatricesAreTheLanesOwnPartOfThem) {
  TraceForTest trace;
  trace.load(vgpr(1, {7}), {sgpr(2, {0, 0})}, in_buffer(5, 0));
  trace.compute("v_mfma_f32_16x16x4_f32", vgpr(4, {1, 2, 3, 4}), {vgpr(1, {7}), constant({0})},
                TraceStep::Kind::kMatrix);
  const auto store = trace.store({sgpr(0, {0, 0})}, vgpr(5, {2}), in_buffer(7, 0));
  EXPECT_EQ(kinds_of(sources_of_data(Definitions(trace.look()), store)),
            (std::vector{SourceKind::kMemory, SourceKind::kMatrix}));
}

TEST(Sources, OfWhatTheWavefrontStartedWithAreItsIds) {
  TraceForTest trace;
  const auto access = trace.load(vgpr(3, {0}), {vgpr(0, {5})}, in_buffer(6, 0));
  EXPECT_EQ(kinds_of(sources_of_address(Definitions(trace.look()), access)),
            std::vector{SourceKind::kStart});
}

TEST(Sources, OfAnotherLanesValueAreThatLane) {
  TraceForTest trace;
  TracedValue other = vgpr(1, {9});
  other.is_other_lane = true;
  trace.compute("v_readfirstlane_b32", sgpr(4, {7}), {other});
  const auto access = trace.load(vgpr(3, {0}), {sgpr(4, {7})}, in_buffer(6, 0));
  EXPECT_EQ(kinds_of(sources_of_address(Definitions(trace.look()), access)),
            std::vector{SourceKind::kOtherLane});
}

}  // namespace
}  // namespace compass::analysis
