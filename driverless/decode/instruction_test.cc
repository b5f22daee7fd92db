// SPDX-License-Identifier: MIT
#include "driverless/decode/instruction.h"

#include <gtest/gtest.h>

namespace compass::decode {
namespace {

Instruction parse(const char* text) {
  auto parsed = parse_instruction(0x100, 4, text);
  EXPECT_TRUE(parsed) << text;
  return parsed ? *std::move(parsed) : Instruction{};
}

TEST(ParseInstruction, DropsTheEncodingFromTheMnemonic) {
  EXPECT_EQ(parse("v_add_u32_e32 v0, s0, v1").mnemonic, "v_add_u32");
  EXPECT_EQ(parse("v_cmp_gt_f32_e64 s[0:1], |v0|, -v1").mnemonic, "v_cmp_gt_f32");
}

TEST(ParseInstruction, ReadsRegistersAndRanges) {
  const Instruction i = parse("v_pk_fma_f32 v[0:1], v[2:3], s[4:5], a[6:7] op_sel_hi:[0,1,1]");
  ASSERT_EQ(i.operands.size(), 4u);
  EXPECT_EQ(i.operands[2].kind, OperandKind::kSgpr);
  EXPECT_EQ(i.operands[3].kind, OperandKind::kAgpr);
  EXPECT_EQ(i.operands[3].index, 6);
  EXPECT_EQ(i.operands[3].count, 2);
  EXPECT_EQ(i.modifiers.op_sel_hi, 0b110);
}

TEST(ParseInstruction, ReadsConstants) {
  const Instruction i = parse("v_fma_f32 v0, -1.0, 0xbfb8aa3b, -16 clamp mul:4");
  ASSERT_EQ(i.operands.size(), 4u);
  EXPECT_EQ(i.operands[1].number, -1.0);
  EXPECT_EQ(i.operands[2].integer, 0xbfb8aa3b);
  EXPECT_EQ(i.operands[3].integer, -16);
  EXPECT_TRUE(i.modifiers.clamp);
  EXPECT_EQ(i.modifiers.omod, 2);
}

TEST(ParseInstruction, ReadsLiteralsThatInlineConstantsCouldHold) {
  const Instruction i = parse("s_addc_u32 s3, lit64(0x10), lit(0x0)");
  ASSERT_EQ(i.operands.size(), 3u);
  EXPECT_EQ(i.operands[1].kind, OperandKind::kInteger);
  EXPECT_EQ(i.operands[1].integer, 16);
  EXPECT_EQ(i.operands[2].kind, OperandKind::kInteger);
  EXPECT_EQ(i.operands[2].integer, 0);
}

TEST(ParseInstruction, ReadsSourceModifiers) {
  const Instruction i = parse("v_max_f32_e64 v0, -|v1|, |v2|");
  EXPECT_TRUE(i.operands[1].negated);
  EXPECT_TRUE(i.operands[1].absolute);
  EXPECT_FALSE(i.operands[2].negated);
}

TEST(ParseInstruction, ReadsAddressesAndDropsCacheHints) {
  const Instruction i = parse("global_load_dwordx4 v[0:3], v[4:5], off offset:-16 sc0 nt");
  ASSERT_EQ(i.operands.size(), 3u);
  EXPECT_EQ(i.operands[2].kind, OperandKind::kOff);
  EXPECT_EQ(i.modifiers.offset, -16);
  EXPECT_EQ(i.modifiers.unknown, "");
}

TEST(ParseInstruction, KnowsHowABufferAccessIsAddressed) {
  const Instruction i = parse("buffer_load_dword v1, s[4:7], s8 idxen offen offset:4 lds");
  EXPECT_EQ(i.mnemonic, "buffer_load_dword_lds");
  EXPECT_TRUE(i.modifiers.offen && i.modifiers.idxen && i.modifiers.lds);
  EXPECT_EQ(i.modifiers.unknown, "");
}

TEST(ParseInstruction, KnowsAnAtomicThatReturns) {
  EXPECT_TRUE(parse("global_atomic_add v1, v[2:3], v4, off sc0").modifiers.returns);
  EXPECT_FALSE(parse("global_atomic_add v[2:3], v4, off").modifiers.returns);
}

TEST(ParseInstruction, ReadsApertures) {
  const Instruction i = parse("s_mov_b64 s[0:1], src_private_base");
  EXPECT_EQ(i.operands[1].kind, OperandKind::kAperture);
  EXPECT_EQ(i.operands[1].integer, std::int64_t{2} << 48);
}

TEST(ParseInstruction, EncodesSwizzles) {
  const auto offset = [](const char* mode) {
    return parse((std::string("ds_swizzle_b32 v1, v2 offset:swizzle(") + mode).c_str())
        .modifiers.offset;
  };
  EXPECT_EQ(offset("QUAD_PERM,0,1,2,3)"), 0x80E4);
  EXPECT_EQ(offset("SWAP,16)"), 0x401F);
  EXPECT_EQ(offset("REVERSE,8)"), 0x1C1F);
  EXPECT_EQ(offset("BROADCAST,8,3)"), 0x78);
  EXPECT_EQ(offset("BITMASK_PERM,\"01pip\")"), 0x907);
  EXPECT_NE(parse("ds_swizzle_b32 v1, v2 offset:swizzle(FFT,16)").modifiers.unknown, "");
}

TEST(ParseInstruction, ReadsSdwa) {
  const Instruction i = parse(
      "v_add_u16_sdwa v0, v1, sext(v2) dst_sel:WORD_1 dst_unused:UNUSED_PRESERVE src0_sel:BYTE_3 "
      "src1_sel:DWORD");
  EXPECT_EQ(i.mnemonic, "v_add_u16");
  EXPECT_TRUE(i.operands[2].sign_extended);
  EXPECT_EQ(i.modifiers.dst_sel, 5);
  EXPECT_EQ(i.modifiers.dst_unused, 2);
  EXPECT_EQ(i.modifiers.src0_sel, 3);
  EXPECT_EQ(i.modifiers.src1_sel, 6);
}

TEST(ParseInstruction, ReadsDpp) {
  const Instruction i = parse("v_mov_b32_dpp v0, v1 quad_perm:[3,2,1,0] row_mask:0xa bound_ctrl:1");
  EXPECT_EQ(i.modifiers.dpp_control, 0x1B);
  EXPECT_EQ(i.modifiers.row_mask, 0xA);
  EXPECT_TRUE(i.modifiers.bound_ctrl);
  EXPECT_EQ(parse("v_mov_b32_dpp v0, v1 row_shr:15").modifiers.dpp_control, 0x11F);
  EXPECT_EQ(parse("v_mov_b32_dpp v0, v1 row_half_mirror").modifiers.dpp_control, 0x141);
  EXPECT_EQ(parse("v_mov_b32_dpp v0, v1 wave_ror:1").modifiers.dpp_control, 0x13C);
  EXPECT_EQ(parse("v_mov_b32_dpp v0, v1 row_bcast:31").modifiers.dpp_control, 0x143);
}

TEST(ParseInstruction, EncodesHardwareRegisters) {
  const Instruction i = parse("s_getreg_b32 s3, hwreg(HW_REG_MODE, 0, 4)");
  EXPECT_EQ(i.operands[1].kind, OperandKind::kHwreg);
  EXPECT_EQ(i.operands[1].integer, 0x1801);
}

TEST(ParseInstruction, NamesAModifierThatItDoesNotKnow) {
  EXPECT_EQ(parse("v_mov_b32_dpp v0, v1 row_share:1 row_mask:0xf").modifiers.unknown,
            "row_share:1");
}

TEST(ParseInstruction, WaitsHaveNoOperands) {
  EXPECT_TRUE(parse("s_waitcnt vmcnt(0) lgkmcnt(0)").operands.empty());
  EXPECT_TRUE(parse("s_endpgm").operands.empty());
}

TEST(ParseInstruction, RefusesWhatIsNoOperand) {
  const auto parsed = parse_instruction(0, 4, "v_add_u32_e32 v0, q7, v1");
  ASSERT_FALSE(parsed);
  EXPECT_NE(parsed.error().message.find("'q7'"), std::string::npos);
}

TEST(BranchTarget, IsInWordsFromTheNextInstruction) {
  std::uint64_t target = 0;
  ASSERT_TRUE(branch_target(parse("s_cbranch_execz 3"), target));
  EXPECT_EQ(target, 0x100u + 4 + 12);
  ASSERT_TRUE(branch_target(parse("s_branch 65534"), target));
  EXPECT_EQ(target, 0x100u + 4 - 8);
  EXPECT_FALSE(branch_target(parse("s_endpgm"), target));
}

}  // namespace
}  // namespace compass::decode
