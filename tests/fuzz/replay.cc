// SPDX-License-Identifier: MIT
//
// Runs a fuzz target without libFuzzer: on every file given and in the folders given, and then on
// mutations of them, always the same ones, until a number of runs or a few seconds have passed.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <random>
#include <vector>

#include "tests/fuzz/input.h"

namespace compass::fuzz {
namespace {

using Input = std::vector<std::uint8_t>;
using Clock = std::chrono::steady_clock;

constexpr int kMutations = 4000;
constexpr std::chrono::seconds kTime{6};

std::vector<Input> read_corpus(int count, char** paths) {
  std::vector<std::filesystem::path> files;
  for (int n = 0; n < count; ++n) {
    if (!std::filesystem::is_directory(paths[n])) {
      files.emplace_back(paths[n]);
      continue;
    }
    for (const auto& entry : std::filesystem::directory_iterator(paths[n])) {
      files.push_back(entry.path());
    }
  }
  std::sort(files.begin(), files.end());
  std::vector<Input> corpus{{}};
  for (const auto& path : files) {
    std::ifstream file(path, std::ios::binary);
    corpus.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
  }
  return corpus;
}

/// The standard's distributions differ between libraries; remainders do not.
class Mutator {
 public:
  Input mutate(Input input, const Input& other) {
    for (std::uint32_t count = 1 + below(4); count > 0; --count) change(input, other);
    return input;
  }
  std::uint32_t below(std::size_t limit) {
    return static_cast<std::uint32_t>(random_() % std::max<std::size_t>(limit, 1));
  }

 private:
  void change(Input& input, const Input& other) {
    constexpr std::uint32_t kEdges[] = {0,      1,       0x7F,       0x80,       0xFF,      0x7FFF,
                                        0xFFFF, 1 << 20, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF};
    if (input.empty()) return input.push_back(static_cast<std::uint8_t>(random_()));
    const std::uint32_t at = below(input.size());
    switch (below(7)) {
      case 0:
        input[at] ^= static_cast<std::uint8_t>(1 << below(8));
        break;
      case 1:
        input[at] = static_cast<std::uint8_t>(random_());
        break;
      case 2:
        return put(input, at & ~3u, kEdges[below(std::size(kEdges))]);
      case 3:
        return put(input, at & ~3u, static_cast<std::uint32_t>(random_()));
      case 4:
        input.resize(at);
        break;
      case 5:
        input.erase(input.begin() + at, input.begin() + at + below(input.size() - at));
        break;
      default:
        splice(input, at, other);
    }
  }
  static void put(Input& input, std::uint32_t at, std::uint32_t value) {
    for (std::size_t n = at; n < input.size() && n < at + 4; ++n, value >>= 8) {
      input[n] = static_cast<std::uint8_t>(value);
    }
  }
  void splice(Input& input, std::uint32_t at, const Input& other) {
    if (other.empty()) return;
    const std::uint32_t from = below(other.size());
    const std::uint32_t count = below(std::min<std::size_t>(other.size() - from, 64)) + 1;
    input.insert(input.begin() + at, other.begin() + from, other.begin() + from + count);
  }

  std::mt19937 random_{20240229};
};

int replay(const std::vector<Input>& corpus) {
  const Clock::time_point end = Clock::now() + kTime;
  for (const Input& input : corpus) LLVMFuzzerTestOneInput(input.data(), input.size());
  Mutator mutator;
  int mutations = 0;
  for (; mutations < kMutations && Clock::now() < end; ++mutations) {
    const Input& first = corpus[mutator.below(corpus.size())];
    const Input input = mutator.mutate(first, corpus[mutator.below(corpus.size())]);
    LLVMFuzzerTestOneInput(input.data(), input.size());
  }
  std::printf("%zu files, %d mutations\n", corpus.size() - 1, mutations);
  return corpus.size() > 1 ? 0 : 1;
}

}  // namespace
}  // namespace compass::fuzz

int main(int argc, char** argv) {
  return compass::fuzz::replay(compass::fuzz::read_corpus(argc - 1, argv + 1));
}
