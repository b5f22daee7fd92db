// SPDX-License-Identifier: MIT
#include "driverless/analysis/index_loads.h"

#include <gtest/gtest.h>

#include <initializer_list>
#include <string>
#include <vector>

namespace compass::analysis {
namespace {

/// The lines whose loads may decide something, of a kernel of these lines, each 4 bytes long.
std::set<std::uint64_t> index_lines(std::initializer_list<std::string> lines) {
  decode::Listing listing;
  std::uint64_t pc = 0;
  for (const std::string& line : lines) {
    auto instruction = decode::parse_instruction(pc, 4, line);
    EXPECT_TRUE(instruction) << line << ": " << instruction.error().message;
    if (instruction) listing.instructions[pc] = *std::move(instruction);
    pc += 4;
  }
  std::set<std::uint64_t> found;
  for (const std::uint64_t load : index_loads(listing)) found.insert(load / 4);
  return found;
}
using Lines = std::set<std::uint64_t>;

TEST(IndexLoads, AreThoseOfIndicesAndNotOfWhatTheyName) {
  EXPECT_EQ(index_lines({"s_load_dwordx4 s[0:3], s[4:5], 0x0",  // 0: pointers
                         "v_lshlrev_b32_e32 v1, 2, v0",         //
                         "global_load_dword v2, v1, s[0:1]",    // 2: indices
                         "v_lshlrev_b32_e32 v2, 2, v2",         //
                         "global_load_dword v3, v2, s[2:3]",    // 4: weights
                         "v_mul_f32_e32 v3, 2.0, v3",           //
                         "global_store_dword v1, v3, s[0:1]", "s_endpgm"}),
            (Lines{0, 2}));
}

TEST(IndexLoads, EndWhereARegisterGetsAnotherValue) {
  EXPECT_EQ(index_lines({"global_load_dword v2, v0, s[0:1]",  // 0: only stored
                         "global_store_dword v0, v2, s[4:5]",
                         "global_load_dword v2, v0, s[2:3]",  // 2: an index
                         "global_load_dword v3, v2, s[4:5]", "global_store_dword v0, v3, s[4:5]",
                         "s_endpgm"}),
            (Lines{2}));
}

TEST(IndexLoads, AreThoseOfAllLanesThatMeetAgain) {
  EXPECT_EQ(index_lines({"global_load_dword v2, v0, s[0:1]",  // 0: replaced in every lane
                         "global_store_dword v0, v2, s[4:5]",
                         "global_load_dword v2, v0, s[0:1]",  // 2: in lanes that are off below
                         "v_cmp_gt_u32_e32 vcc, s8, v0", "s_and_saveexec_b64 s[6:7], vcc",
                         "global_load_dword v2, v0, s[2:3]",  // 5: in the others
                         "s_or_b64 exec, exec, s[6:7]", "global_load_dword v3, v2, s[4:5]",
                         "global_store_dword v0, v3, s[4:5]", "s_endpgm"}),
            (Lines{2, 5}));
}

TEST(IndexLoads, ReachBackThroughMasksOfWhichNothingIsKnown) {
  EXPECT_EQ(index_lines({"global_load_dword v2, v0, s[0:1]",  // 0: where the next is off
                         "global_load_dword v2, v0, s[2:3]", "s_mov_b64 exec, -1",
                         "global_load_dword v3, v2, s[4:5]", "s_endpgm"}),
            (Lines{0, 1}));
}

TEST(IndexLoads, DecideBranchesAndExec) {
  EXPECT_EQ(index_lines({"s_load_dword s0, s[4:5], 0x0",  // 0: of a branch
                         "s_load_dword s1, s[4:5], 0x4",  // 1: nothing
                         "s_cmp_eq_u32 s0, 0", "s_cbranch_scc1 3",
                         "global_load_dword v1, v0, s[8:9]",  // 4: of EXEC
                         "v_cmp_lt_u32_e32 vcc, 3, v1", "s_and_b64 exec, exec, vcc",
                         "v_mov_b32_e32 v2, s1", "s_endpgm"}),
            (Lines{0, 4}));
}

TEST(IndexLoads, GoRoundLoops) {
  EXPECT_EQ(index_lines({"v_mov_b32_e32 v2, v0",              //
                         "global_load_dword v3, v2, s[0:1]",  // 1: the next address
                         "global_load_dword v4, v2, s[2:3]",  // 2: data
                         "v_add_f32_e32 v5, v5, v4",          //
                         "v_mov_b32_e32 v2, v3",              //
                         "s_add_i32 s8, s8, -1", "s_cmp_lg_u32 s8, 0",
                         "s_cbranch_scc1 65529",  // to 1
                         "global_store_dword v0, v5, s[4:5]", "s_endpgm"}),
            (Lines{1}));
}

TEST(IndexLoads, ComeThroughLdsFromAnyPlace) {
  EXPECT_EQ(index_lines({"ds_read_b32 v4, v1", "global_load_dword v5, v4, s[0:1]",
                         "global_load_dword v2, v0, s[2:3]",  // 2: stored behind the read
                         "ds_write_b32 v1, v2", "s_endpgm"}),
            (Lines{2}));
  EXPECT_EQ(index_lines({"global_load_dword v2, v0, s[2:3]", "ds_write_b32 v1, v2",
                         "ds_read_b32 v4, v1", "global_store_dword v0, v4, s[0:1]", "s_endpgm"}),
            (Lines{}));
  EXPECT_EQ(index_lines({"global_load_lds_dword v[2:3], off",  // 0: loaded into LDS
                         "ds_read_b32 v4, v1", "ds_read_b32 v5, v4", "s_endpgm"}),
            (Lines{0}));
}

TEST(IndexLoads, ComeThroughLanesAndSelections) {
  EXPECT_EQ(index_lines({"global_load_dword v2, v0, s[2:3]",  // 0: read from a lane that is off
                         "s_and_b64 exec, exec, s[10:11]", "v_mov_b32_e32 v2, 0",
                         "v_readlane_b32 s8, v2, s9", "s_load_dword s12, s[4:5], s8", "s_endpgm"}),
            (Lines{0}));
  EXPECT_EQ(index_lines({"global_load_dword v2, v0, s[2:3]",  // 0: which is selected
                         "v_cmp_lt_u32_e64 s[6:7], 3, v2", "v_cndmask_b32_e64 v3, 0, v1, s[6:7]",
                         "global_load_dword v4, v3, s[2:3]", "s_endpgm"}),
            (Lines{0}));
  EXPECT_EQ(index_lines({"global_load_dword v2, v0, s[2:3]", "v_cmp_lt_u32_e64 s[6:7], 3, v2",
                         "v_cndmask_b32_e64 v3, 0, v1, s[6:7]", "global_store_dword v0, v3, s[2:3]",
                         "s_endpgm"}),
            (Lines{}));
}

TEST(IndexLoads, AreNotTheMatricesOfAProduct) {
  EXPECT_EQ(index_lines({"global_load_dwordx2 v[2:3], v0, s[2:3]",
                         "global_load_dwordx2 v[4:5], v0, s[4:5]",
                         "v_mfma_f32_16x16x16_f16 v[8:11], v[2:3], v[4:5], v[8:11]",
                         "global_store_dwordx4 v0, v[8:11], s[6:7]", "s_endpgm"}),
            (Lines{}));
}

TEST(IndexLoads, AreAtomicsThatReturnAPlace) {
  EXPECT_EQ(index_lines({"global_atomic_add v2, v0, v1, s[2:3] sc0",  // 0
                         "global_store_dword v2, v1, s[4:5]",
                         "global_atomic_add v0, v1, s[2:3]",  // 2: gives nothing
                         "s_endpgm"}),
            (Lines{0}));
}

TEST(IndexLoads, AreOfDescriptorsAndOffsets) {
  EXPECT_EQ(index_lines({"s_load_dwordx4 s[8:11], s[4:5], 0x0",  // 0
                         "s_load_dword s12, s[4:5], 0x10",       // 1
                         "buffer_load_dword v1, v0, s[8:11], s12 offen",
                         "buffer_store_dword v1, v0, s[8:11], s12 offen", "s_endpgm"}),
            (Lines{0, 1}));
}

TEST(IndexLoads, KeepTheOldHalfOfARegister) {
  EXPECT_EQ(index_lines({"global_load_dword v2, v0, s[2:3]",  // 0: its upper half
                         "global_load_short_d16 v2, v0, s[4:5]", "global_load_dword v3, v2, s[2:3]",
                         "s_endpgm"}),
            (Lines{0, 1}));
}

}  // namespace
}  // namespace compass::analysis
