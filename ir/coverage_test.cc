// SPDX-License-Identifier: MIT
#include "ir/coverage.h"

#include <gtest/gtest.h>

namespace compass {
namespace {

RanInstruction ran(std::string mnemonic, Basis basis) {
  return {"gfx950", std::move(mnemonic), basis};
}

TEST(FidelityText, CountsByBasis) {
  EXPECT_EQ(fidelity_text({}), "0 instructions");
  const std::vector<RanInstruction> one{ran("s_endpgm", Basis::kExact)};
  EXPECT_EQ(fidelity_text(one), "1 instruction: 1 exact");
}

TEST(FidelityText, NamesWhatIsNeitherExactNorMeasured) {
  const std::vector<RanInstruction> several{
      ran("s_endpgm", Basis::kExact), ran("v_exp_f32", Basis::kBounded),
      ran("v_mfma_f32_16x16x16_f16", Basis::kPublished), ran("v_mfma_f32_x", Basis::kAssumed)};
  EXPECT_EQ(
      fidelity_text(several),
      "4 instructions: 1 exact, 1 published, 1 bounded (v_exp_f32), 1 assumed (v_mfma_f32_x)");
}

TEST(FidelityText, NamesTheFirstFew) {
  std::vector<RanInstruction> many;
  for (const char* name : {"a", "b", "c", "d", "e", "f"})
    many.push_back(ran(name, Basis::kAssumed));
  EXPECT_EQ(fidelity_text(many), "6 instructions: 6 assumed (a, b, c, d and 2 more)");
}

TEST(CoverageCounter, KeepsEachReasonOnceAndGapsInOrder) {
  CoverageCounter counter;
  counter.add_gap(9, 0, "b");
  counter.add_interpreted();
  counter.add_gap(4, 7, "a");
  counter.add_gap(4, 3, "b");
  Coverage coverage;
  counter.finish(coverage);
  EXPECT_EQ(coverage.launches, 4u);
  EXPECT_EQ(coverage.interpreted(), 1u);
  EXPECT_EQ(coverage.reasons, (std::vector<std::string>{"b", "a"}));
  EXPECT_EQ(coverage.gaps, (std::vector<CoverageGap>{{4, 3, 0}, {4, 7, 1}, {9, 0, 0}}));
}

TEST(Basis, IsKnownByItsName) {
  for (const Basis basis : {Basis::kExact, Basis::kPublished, Basis::kBounded, Basis::kAssumed}) {
    EXPECT_EQ(basis_of(name_of(basis)), basis);
  }
  EXPECT_FALSE(basis_of("hope"));
}

}  // namespace
}  // namespace compass
