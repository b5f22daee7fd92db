// SPDX-License-Identifier: MIT
#include "driverless/code_vector.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <filesystem>

namespace compass {
namespace {

std::vector<std::string> vector_files() {
  std::vector<std::string> paths;
  for (const char* kind : {"memory", "matrix"}) {
    for (const auto& entry :
         std::filesystem::directory_iterator(concat(COMPASS_VECTORS, "/", kind))) {
      if (entry.path().extension() == ".vec") paths.push_back(entry.path());
    }
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

class CodeVectors : public testing::TestWithParam<std::string> {};

TEST_P(CodeVectors, LeaveWhatTheirWitnessSays) {
  const auto vector = read_code_vector(GetParam());
  ASSERT_TRUE(vector) << vector.error().message;
  for (const std::string& target : vector->targets) {
    const auto results = run_code_vector(*vector, target);
    ASSERT_TRUE(results) << target << ": " << results.error().message;
    for (const auto& [place, expected] : vector->out) {
      const std::vector<std::uint32_t>& words = results->at(place);
      ASSERT_EQ(words.size(), expected.size()) << place;
      for (std::size_t n = 0; n < words.size(); ++n) {
        ASSERT_EQ(words[n], expected[n]) << std::hex << target << ", " << place << ", word " << n;
      }
    }
  }
}

std::string name_of(const testing::TestParamInfo<std::string>& info) {
  return std::filesystem::path(info.param).stem();
}
INSTANTIATE_TEST_SUITE_P(All, CodeVectors, testing::ValuesIn(vector_files()), name_of);

// What keeps `code` from its end on gfx950.
std::string problem_of(const char* code, std::vector<std::uint32_t> v1, std::uint32_t scratch = 0) {
  CodeVector vector{
      .witness = "none", .code = code, .targets = {"gfx950"}, .scratch_bytes = scratch};
  v1.resize(64);
  vector.in["v1"] = std::move(v1);
  vector.out["v2"].resize(64);
  const auto results = run_code_vector(vector, "gfx950");
  return results ? "" : results.error().message;
}
bool contains(const std::string& text, const char* part) {
  return text.find(part) != std::string::npos;
}

TEST(ScratchAccess, FaultsBeyondTheWorkItemsSegment) {
  EXPECT_EQ(problem_of("scratch_load_dword v2, v1, off offset:60", {}, 64), "");
  EXPECT_TRUE(contains(problem_of("scratch_load_dword v2, v1, off offset:60", {0, 4}, 64),
                       "fault of lane 1 in scratch"));
}

TEST(FlatAccess, FaultsWhereItsApertureEnds) {
  const char* const code =
      "s_mov_b64 s[22:23], src_shared_base\n v_mov_b32_e32 v8, v1\n"
      "v_mov_b32_e32 v9, s23\n flat_load_dword v2, v[8:9]";
  EXPECT_EQ(problem_of(code, {0x3FFC}), "");
  EXPECT_TRUE(contains(problem_of(code, {0, 0, 0x4000}), "fault of lane 2 in LDS"));
}

TEST(BufferAccess, FaultsInsideTheBufferButOutsideMemory) {
  const char* const code =
      "s_mov_b32 s10, 0x10000\n s_mov_b32 s11, 0x27000\n"
      "buffer_load_dword v2, v1, s[8:11], 0 offen";
  EXPECT_EQ(problem_of(code, {252, 0x10000, 0x8000'0000}), "");
  EXPECT_TRUE(contains(problem_of(code, {252, 256}), "fault of lane 1 in global memory"));
}

TEST(BufferAccess, StopsAtASwizzledDescriptor) {
  const char* const code =
      "s_or_b32 s9, s9, 0x80000000\n s_mov_b32 s10, 64\n s_mov_b32 s11, 0\n"
      "buffer_load_dword v2, v1, s[8:11], 0 offen";
  EXPECT_TRUE(contains(problem_of(code, {}), "swizzling"));
}

TEST(TransposeRead, StopsWithAPartOfABlockOff) {
  const char* const code =
      "v_mov_b32_e32 v2, 0\n v_mov_b32_e32 v3, 0\n s_mov_b32 exec_lo, 0xffff00ff\n"
      "ds_read_b64_tr_b16 v[2:3], v1\n s_mov_b32 exec_lo, -1";
  EXPECT_TRUE(contains(problem_of(code, {}), "block of 16"));
}

TEST(MatrixInstructions, RefuseARotation) {
  EXPECT_TRUE(
      contains(problem_of("v_mfma_f32_4x4x1_16b_f32 v[4:7], v1, v1, 0 blgp:3", {}), "blgp:3"));
}

TEST(MatrixInstructions, BroadcastABlock) {
  CodeVector vector{.witness = "none",
                    .code = "v_mfma_f32_4x4x1_16b_f32 v[4:7], v1, v2, 1.0 cbsz:4 abid:3\n s_nop 15",
                    .targets = {"gfx950"}};
  std::vector<std::uint32_t>&a = vector.in["v1"], &b = vector.in["v2"];
  for (unsigned lane = 0; lane < 64; ++lane) {
    a.push_back(std::bit_cast<std::uint32_t>(static_cast<float>(lane)));
    b.push_back(std::bit_cast<std::uint32_t>(static_cast<float>(lane) + 0.5f));
  }
  vector.out["v5"].resize(64);
  const auto results = run_code_vector(vector, "gfx950");
  ASSERT_TRUE(results) << results.error().message;
  for (unsigned lane = 0; lane < 64; ++lane) {
    const float expected = 13.0f * (static_cast<float>(lane) + 0.5f) + 1.0f;  // row 1 of block 3
    EXPECT_EQ(results->at("v5")[lane], std::bit_cast<std::uint32_t>(expected)) << lane;
  }
}

TEST(MatrixInstructions, SumsWithInfinitiesAndNans) {
  CodeVector vector{.witness = "none",
                    .code = "v_mfma_f32_4x4x4_16b_f16 v[8:11], v[2:3], v[4:5], 1.0\n s_nop 15",
                    .targets = {"gfx942"}};
  vector.in["v2"] = vector.in["v3"] = vector.in["v4"] = vector.in["v5"] =
      std::vector<std::uint32_t>(64, 0x3C00'3C00);
  vector.in["v2"][0] = 0x3C00'7C00;  // row 0 of block 0: an infinity
  vector.in["v4"][1] = 0x3C00'0000;  // column 1 of block 0: times zero
  vector.in["v4"][2] = 0x3C00'BC00;  // column 2: times -1
  vector.out["v8"].resize(64);
  const auto results = run_code_vector(vector, "gfx942");
  ASSERT_TRUE(results) << results.error().message;
  EXPECT_EQ(results->at("v8")[0], 0x7F80'0000u);
  EXPECT_EQ(results->at("v8")[1], 0x7FC0'0000u);
  EXPECT_EQ(results->at("v8")[2], 0xFF80'0000u);
  EXPECT_EQ(results->at("v8")[4], std::bit_cast<std::uint32_t>(5.0f));
}

}  // namespace
}  // namespace compass
