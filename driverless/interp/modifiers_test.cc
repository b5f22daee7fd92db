// SPDX-License-Identifier: MIT
#include "driverless/interp/one_wave.h"

namespace compass::interp {
namespace {

TEST(Dpp, ShiftsWithinARowAndLeavesLanesWithoutASource) {
  OneWave test;
  test.set_lanes(1);
  test.set_all(0, 99);
  ASSERT_TRUE(test.run("v_mov_b32_dpp v0, v1 row_shr:1 row_mask:0xf bank_mask:0xf"))
      << test.cause();
  EXPECT_EQ(test.vgpr(0)[0], 99u);
  EXPECT_EQ(test.vgpr(0)[1], 0u);
  EXPECT_EQ(test.vgpr(0)[16], 99u);
  EXPECT_EQ(test.vgpr(0)[31], 30u);
}

TEST(Dpp, BoundCtrlReadsZeroWhereThereIsNoSource) {
  OneWave test;
  test.set_lanes(1);
  test.set_all(0, 99);
  test.set_all(2, 7);
  ASSERT_TRUE(
      test.run("v_add_u32_dpp v0, v1, v2 row_shl:1 row_mask:0xf bank_mask:0xf bound_ctrl:1"));
  EXPECT_EQ(test.vgpr(0)[15], 7u);
  EXPECT_EQ(test.vgpr(0)[14], 15u + 7);
}

TEST(Dpp, MasksChooseRowsAndBanks) {
  OneWave test;
  test.set_lanes(1);
  test.set_all(0, 99);
  ASSERT_TRUE(test.run("v_mov_b32_dpp v0, v1 row_bcast:15 row_mask:0xa bank_mask:0x3"));
  EXPECT_EQ(test.vgpr(0)[16], 15u);
  EXPECT_EQ(test.vgpr(0)[23], 15u);
  EXPECT_EQ(test.vgpr(0)[24], 99u);
  EXPECT_EQ(test.vgpr(0)[32], 99u);
  EXPECT_EQ(test.vgpr(0)[48], 47u);
}

TEST(Dpp, ALaneThatIsOffIsNoSource) {
  OneWave test;
  test.set_lanes(1);
  test.set_all(0, 99);
  test.wave().set_sgpr64(kExecLo, ~std::uint64_t{1});
  ASSERT_TRUE(test.run("v_mov_b32_dpp v0, v1 quad_perm:[1,0,3,2] row_mask:0xf bank_mask:0xf"));
  EXPECT_EQ(test.vgpr(0)[0], 99u);
  EXPECT_EQ(test.vgpr(0)[1], 99u);
  EXPECT_EQ(test.vgpr(0)[2], 3u);
}

TEST(Dpp, MovesBothRegistersOfAPair) {
  OneWave test;
  test.set_lanes(2);
  test.set_all(3, 5);
  ASSERT_TRUE(test.run("v_mov_b64_dpp v[0:1], v[2:3] row_newbcast:3 row_mask:0xf bank_mask:0xf"));
  EXPECT_EQ(test.vgpr(0)[40], 35u);
  EXPECT_EQ(test.vgpr(1)[40], 5u);
}

TEST(Sdwa, TakesAPartWithItsSign) {
  OneWave test;
  test.set_all(1, 0x00FE'0102);
  ASSERT_TRUE(
      test.run("v_cvt_f32_i32_sdwa v0, sext(v1) dst_sel:DWORD dst_unused:UNUSED_PAD "
               "src0_sel:BYTE_2"));
  EXPECT_EQ(test.vgpr(0)[0], 0xC000'0000u);
}

TEST(Sdwa, WritesAPartAndKeepsPadsOrExtendsTheRest) {
  OneWave test;
  test.set_all(1, 0x80);
  test.set_all(0, 0x1111'1111);
  ASSERT_TRUE(
      test.run("v_mov_b32_sdwa v0, v1 dst_sel:BYTE_1 dst_unused:UNUSED_PRESERVE "
               "src0_sel:DWORD"));
  EXPECT_EQ(test.vgpr(0)[0], 0x1111'8011u);
  ASSERT_TRUE(
      test.run("v_mov_b32_sdwa v0, v1 dst_sel:BYTE_1 dst_unused:UNUSED_SEXT "
               "src0_sel:DWORD"));
  EXPECT_EQ(test.vgpr(0)[0], 0xFFFF'8000u);
  ASSERT_TRUE(
      test.run("v_mov_b32_sdwa v0, v1 dst_sel:WORD_1 dst_unused:UNUSED_PAD "
               "src0_sel:DWORD"));
  EXPECT_EQ(test.vgpr(0)[0], 0x0080'0000u);
}

TEST(Sdwa, NegatesTheHalfThatItTakes) {
  OneWave test;
  test.set_all(1, 0x3C00'0000);
  test.set_all(2, 0x4000);
  ASSERT_TRUE(
      test.run("v_add_f16_sdwa v0, -v1, v2 dst_sel:WORD_1 dst_unused:UNUSED_PAD "
               "src0_sel:WORD_1 src1_sel:WORD_0"));
  EXPECT_EQ(test.vgpr(0)[5], 0x3C00'0000u);
}

TEST(OpSel, ChoosesHalvesOfSourcesAndDestination) {
  OneWave test;
  test.set_all(0, 0xAAAA'BBBB);
  test.set_all(1, 0x4000'3C00);
  ASSERT_TRUE(test.run("v_fma_f16 v0, v1, v1, v1 op_sel:[1,0,0,1]"));
  EXPECT_EQ(test.vgpr(0)[0], 0x4200'BBBBu) << "2 * 1 + 1 in the upper half";
  ASSERT_TRUE(test.run("v_fma_f16 v0, v1, v1, v1"));
  EXPECT_EQ(test.vgpr(0)[0], 0x4200'4000u) << "the upper half stays";
  ASSERT_TRUE(test.run("v_add_f16_e32 v0, v1, v1"));
  EXPECT_EQ(test.vgpr(0)[0], 0x0000'4000u) << "the upper half becomes zero";
}

TEST(Packed, ChoosesNegatesAndBroadcasts) {
  OneWave test;
  test.set_all(1, 0x4000'3C00);
  ASSERT_TRUE(test.run("v_pk_add_f16 v0, v1, v1 op_sel:[1,0] op_sel_hi:[0,1]"));
  EXPECT_EQ(test.vgpr(0)[0], 0x4200'4200u);
  ASSERT_TRUE(test.run("v_pk_mul_f16 v0, v1, v1 neg_lo:[1,0]"));
  EXPECT_EQ(test.vgpr(0)[0], 0x4400'BC00u);
  ASSERT_TRUE(test.run("v_pk_add_f16 v0, v1, 1.0 op_sel_hi:[1,0]"));
  EXPECT_EQ(test.vgpr(0)[0], 0x4200'4000u);
  ASSERT_TRUE(test.run("v_pk_add_u16 v0, v1, -1"));
  EXPECT_EQ(test.vgpr(0)[0], 0x3FFF'3BFFu);
}

TEST(Mixed, TakesSinglesAndHalves) {
  OneWave test;
  test.set_all(1, 0x4000'3C00);
  test.set_all(2, 0x4040'0000);
  ASSERT_TRUE(test.run("v_fma_mix_f32 v0, -v1, v2, v1 op_sel:[1,0,0] op_sel_hi:[1,0,1]"));
  EXPECT_EQ(test.vgpr(0)[0], 0xC0A0'0000u) << "-2 * 3 + 1";
  test.set_all(0, 0x1234'5678);
  ASSERT_TRUE(test.run("v_fma_mixhi_f16 v0, v2, v2, 1.0"));
  EXPECT_EQ(test.vgpr(0)[0], 0x4900'5678u);
}

TEST(Clamp, LimitsFloatsAndSaturatesIntegers) {
  OneWave test;
  test.set_all(1, 0x4000'3C00);
  test.set_all(2, 0xFFFF'FFF0);
  ASSERT_TRUE(test.run("v_pk_add_f16 v0, v1, v1 clamp"));
  EXPECT_EQ(test.vgpr(0)[0], 0x3C00'3C00u);
  ASSERT_TRUE(test.run("v_add_u32_e64 v0, v2, 32 clamp"));
  EXPECT_EQ(test.vgpr(0)[0], 0xFFFF'FFFFu);
  test.set_all(4, 0);
  test.set_all(5, 0x4000'0000);
  ASSERT_TRUE(test.run("v_add_f64 v[6:7], v[4:5], 0 clamp"));
  EXPECT_EQ(test.vgpr(7)[0], 0x3FF0'0000u);
}

TEST(Constants, AreOfTheTypeOfTheSource) {
  OneWave test;
  ASSERT_TRUE(test.run({"v_add_f64 v[0:1], 1.0, 0", "v_add_f64 v[2:3], 0, 1",
                        "v_add_f16_e64 v4, 0.5, 0", "v_mul_f32_e64 v5, 1.0, 0.15915494"}));
  EXPECT_EQ(test.vgpr(1)[0], 0x3FF0'0000u);
  EXPECT_EQ(test.vgpr(2)[0], 1u) << "an integer is the bits of a subnormal";
  EXPECT_EQ(test.vgpr(4)[0], 0x3800u);
  EXPECT_EQ(test.vgpr(5)[0], 0x3E22'F983u);
}

TEST(Mode, RoundsAsSetregSays) {
  OneWave test;
  test.set_all(1, 0x3F80'0000);
  test.set_all(2, 0x3300'0000);
  ASSERT_TRUE(
      test.run({"v_add_f32_e32 v0, v1, v2", "s_setreg_imm32_b32 hwreg(HW_REG_MODE, 0, 2), 1",
                "v_add_f32_e32 v3, v1, v2", "s_getreg_b32 s0, hwreg(HW_REG_MODE, 0, 4)",
                "s_setreg_imm32_b32 hwreg(HW_REG_MODE, 0, 2), 0"}));
  EXPECT_EQ(test.vgpr(0)[0], 0x3F80'0000u);
  EXPECT_EQ(test.vgpr(3)[0], 0x3F80'0001u) << "up";
  EXPECT_EQ(test.wave().sgpr[0], 1u);
  EXPECT_EQ(test.wave().mode, kDefaultMode);
}

TEST(Mode, FlushesSubnormalsOfTheWidthThatItNames) {
  OneWave test;
  test.set_all(1, 0x8000'0001);
  test.set_all(2, 0x0001);
  ASSERT_TRUE(
      test.run({"s_setreg_imm32_b32 hwreg(HW_REG_MODE, 4, 2), 0", "v_max_f32_e32 v0, v1, v1",
                "v_add_f16_e32 v3, v2, v2", "s_setreg_imm32_b32 hwreg(HW_REG_MODE, 6, 2), 0",
                "v_add_f16_e32 v4, v2, v2"}));
  EXPECT_EQ(test.vgpr(0)[0], 0x8000'0000u);
  EXPECT_EQ(test.vgpr(3)[0], 2u);
  EXPECT_EQ(test.vgpr(4)[0], 0u);
}

TEST(Mode, WithoutIeeeRulesStopsTheWavefront) {
  OneWave test;
  EXPECT_FALSE(test.run("s_setreg_imm32_b32 hwreg(HW_REG_MODE, 9, 1), 0"));
  EXPECT_NE(test.cause().find("mode"), std::string::npos);
}

// The sequence that compilers make of a division.
std::uint32_t divide(std::uint32_t numerator, std::uint32_t denominator) {
  OneWave test;
  test.set_all(0, numerator);
  test.set_all(1, denominator);
  EXPECT_TRUE(
      test.run({"v_div_scale_f32 v2, s[0:1], v1, v1, v0", "v_div_scale_f32 v3, vcc, v0, v1, v0",
                "v_rcp_f32_e32 v4, v2", "v_fma_f32 v5, -v2, v4, 1.0", "v_fma_f32 v4, v5, v4, v4",
                "v_mul_f32_e32 v5, v3, v4", "v_fma_f32 v6, -v2, v5, v3", "v_fma_f32 v5, v6, v4, v5",
                "v_fma_f32 v6, -v2, v5, v3", "v_div_fmas_f32 v4, v6, v4, v5",
                "v_div_fixup_f32 v0, v4, v1, v0"}))
      << test.cause();
  return test.vgpr(0)[0];
}

TEST(Division, IsCorrectlyRoundedFromEndToEnd) {
  EXPECT_EQ(divide(0x3F80'0000, 0x4040'0000), 0x3EAA'AAABu);
  EXPECT_EQ(divide(0x7F7F'FFFF, 0x3F00'0000), 0x7F80'0000u) << "overflow";
  EXPECT_EQ(divide(0xFD0F'0000, 0x0027'0000), 0xFF80'0000u) << "far beyond";
  EXPECT_EQ(divide(0x0000'0001, 0x0000'0001), 0x3F80'0000u) << "subnormals";
  EXPECT_EQ(divide(0x7F7F'FFFF, 0x7F7F'FFFF), 0x3F80'0000u);
  EXPECT_EQ(divide(0x0080'0000, 0x4000'0000), 0x0040'0000u) << "a subnormal result";
  EXPECT_EQ(divide(0xBF80'0000, 0x0000'0000), 0xFF80'0000u);
  EXPECT_EQ(divide(0x0000'0000, 0x0000'0000), 0xFFC0'0000u);
}

TEST(Lanes, AreReadAndWrittenWhateverExecSays) {
  OneWave test;
  test.set_lanes(1);
  test.wave().set_sgpr64(kExecLo, 0xF0);
  ASSERT_TRUE(test.run(
      {"v_readfirstlane_b32 s0, v1", "v_readlane_b32 s1, v1, 63", "v_writelane_b32 v1, s1, 0"}));
  EXPECT_EQ(test.wave().sgpr[0], 4u);
  EXPECT_EQ(test.wave().sgpr[1], 63u);
  EXPECT_EQ(test.vgpr(1)[0], 63u);
}

TEST(Lanes, PermlaneSwapsExchangeGroups) {
  OneWave test;
  test.set_lanes(0);
  test.set_all(1, 100);
  ASSERT_TRUE(test.run("v_permlane16_swap_b32_e32 v0, v1")) << test.cause();
  EXPECT_EQ(test.vgpr(0)[0], 0u);
  EXPECT_EQ(test.vgpr(0)[16], 100u);
  EXPECT_EQ(test.vgpr(1)[0], 16u);
  EXPECT_EQ(test.vgpr(1)[32], 48u);
  EXPECT_EQ(test.vgpr(1)[16], 100u);
}

TEST(Lanes, CountThoseBelow) {
  OneWave test;
  ASSERT_TRUE(test.run({"v_mbcnt_lo_u32_b32 v0, -1, 0", "v_mbcnt_hi_u32_b32 v0, -1, v0"}));
  for (unsigned lane = 0; lane < kLanes; ++lane) EXPECT_EQ(test.vgpr(0)[lane], lane);
}

TEST(Compare, CmpxSetsExecToo) {
  OneWave test;
  test.set_lanes(1);
  ASSERT_TRUE(test.run("v_cmpx_gt_u32_e32 vcc, 8, v1"));
  EXPECT_EQ(test.wave().exec(), 0xFFu);
  EXPECT_EQ(test.wave().sgpr64(kVccLo), 0xFFu);
}

TEST(Targets, ChooseTheFormatOf8BitFloats) {
  OneWave ocp(isa::GFX950), fnuz(isa::GFX942);
  for (OneWave* test : {&ocp, &fnuz}) {
    test->set_all(1, 0x3F80'0000);
    test->set_all(2, 0xC000'0000);
    test->set_all(0, 0x1234'5678);
    ASSERT_TRUE(test->run("v_cvt_pk_fp8_f32 v0, v1, v2 op_sel:[0,0,1]")) << test->cause();
  }
  EXPECT_EQ(ocp.vgpr(0)[0], 0xC038'5678u);
  EXPECT_EQ(fnuz.vgpr(0)[0], 0xC840'5678u);
}

}  // namespace
}  // namespace compass::interp
