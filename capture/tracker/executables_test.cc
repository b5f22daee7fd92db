// SPDX-License-Identifier: MIT
#include "capture/tracker/executables.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace compass::capture {
namespace {

constexpr std::uint64_t kExecutable = 0x5000;

class ExecutablesTest : public ::testing::Test {
 protected:
  ExecutablesTest() {
    for (const std::uint64_t entry : {1, 2, 3, 4}) {
      executables_.add_copy({entry, HostRows{entry * 0x100, 16, {}, {}}, {}});
    }
  }
  /// The entries of what a launch copies.
  std::vector<std::uint64_t> copied() {
    std::vector<std::uint64_t> entries;
    for (const auto& copy : executables_.copies_of(kExecutable)) entries.push_back(copy.entry);
    std::sort(entries.begin(), entries.end());
    return entries;
  }
  using Entries = std::vector<std::uint64_t>;
  Executables executables_;
};

TEST_F(ExecutablesTest, ALaunchCopiesWhatItsNodesDo) {
  executables_.take(9, journal::InstantiateGraph{kExecutable, 0, {{0x10, 1, {}}, {0x20, 8, {0}}}});
  EXPECT_EQ(copied(), Entries{1}) << "entry 8 is no copy";
  executables_.take(10, journal::SetNode{kExecutable, 0x20, 3});
  EXPECT_EQ(copied(), (Entries{1, 3}));
  executables_.take(11, journal::EnableNode{kExecutable, 0x10, false});
  EXPECT_EQ(copied(), Entries{3});
  executables_.take(12, journal::DestroyExecutable{kExecutable});
  EXPECT_EQ(copied(), Entries{});
}

TEST_F(ExecutablesTest, AnUpdateKeepsWhatIsSwitchedOff) {
  executables_.take(9, journal::InstantiateGraph{kExecutable, 0, {{0x10, 1, {1}}, {0x20, 2, {}}}});
  executables_.take(10, journal::EnableNode{kExecutable, 0x20, false});
  executables_.take(11, journal::UpdateExecutable{kExecutable, {{0x30, 3, {}}, {0x40, 4, {0}}}});
  EXPECT_EQ(copied(), Entries{4}) << "the first that runs was 0x20, and is what entry 3 says";
}

TEST_F(ExecutablesTest, ALaunchReadsWhatItsKernelsAreGiven) {
  executables_.add_reads(8, {0x7000, 0x8000});
  executables_.add_reads(9, {0x8000});
  executables_.take(
      10, journal::InstantiateGraph{kExecutable, 0, {{0x10, 8, {}}, {0x20, 9, {}}, {0x30, 1, {}}}});
  EXPECT_EQ(executables_.reads_of(kExecutable), (Entries{0x7000, 0x8000}));
  EXPECT_EQ(copied(), Entries{1});
}

TEST_F(ExecutablesTest, ChildrenCopyToo) {
  executables_.take(7, journal::ChildGraph{{{0x30, 2, {}}, {0x40, 4, {}}}});
  executables_.take(9, journal::InstantiateGraph{kExecutable, 0, {{0x10, 1, {}}, {0x20, 7, {}}}});
  EXPECT_EQ(copied(), (Entries{1, 2, 4}));
}

}  // namespace
}  // namespace compass::capture
