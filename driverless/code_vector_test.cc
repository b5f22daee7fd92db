// SPDX-License-Identifier: MIT
#include "driverless/code_vector.h"

#include <gtest/gtest.h>

#include <algorithm>
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

}  // namespace
}  // namespace compass
