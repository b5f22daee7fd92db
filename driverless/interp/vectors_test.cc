// SPDX-License-Identifier: MIT
#include <filesystem>
#include <fstream>
#include <sstream>

#include "driverless/interp/one_wave.h"

/// Runs fixtures/vectors/lane/*.vec. The first line names the witness, the second is the
/// instruction, with results from v0 and sources from v2 on; every other line is the words of the
/// sources, "=", and those of the results, in hexadecimal.
namespace compass::interp {
namespace {

std::vector<std::uint32_t> parse_words(const std::string& text) {
  std::vector<std::uint32_t> words;
  std::istringstream stream(text);
  for (std::string word; stream >> word;) {
    words.push_back(static_cast<std::uint32_t>(std::stoul(word, nullptr, 16)));
  }
  return words;
}

void check_file(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::string witness, instruction, line;
  std::getline(file, witness);
  std::getline(file, instruction);
  ASSERT_TRUE(witness.starts_with("# witness: ")) << path;
  OneWave test;
  std::vector<std::vector<std::uint32_t>> wanted;
  std::vector<std::string> lines;
  while (std::getline(file, line) && lines.size() < kLanes) {
    const std::size_t equals = line.find('=');
    ASSERT_NE(equals, std::string::npos) << path << ": " << line;
    const auto sources = parse_words(line.substr(0, equals));
    for (unsigned n = 0; n < sources.size(); ++n) test.vgpr(2 + n)[lines.size()] = sources[n];
    wanted.push_back(parse_words(line.substr(equals + 1)));
    lines.push_back(line);
  }
  ASSERT_FALSE(lines.empty()) << path;
  ASSERT_TRUE(test.run(instruction)) << path << ": " << test.cause();
  for (unsigned lane = 0; lane < lines.size(); ++lane) {
    for (unsigned n = 0; n < wanted[lane].size(); ++n) {
      EXPECT_EQ(test.vgpr(n)[lane], wanted[lane][n]) << instruction << ": " << lines[lane];
    }
  }
}

TEST(InstructionVectors, AgreeWithTheirWitnesses) {
  unsigned files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(COMPASS_VECTORS)) {
    if (entry.path().extension() != ".vec") continue;
    check_file(entry.path());
    ++files;
  }
  EXPECT_GT(files, 0u);
}

}  // namespace
}  // namespace compass::interp
