// SPDX-License-Identifier: MIT
#include "driverless/interp/index_notes.h"

#include <gtest/gtest.h>

#include <array>

namespace compass::interp {
namespace {

class IndexNotesTest : public testing::Test {
 protected:
  static constexpr std::uint64_t kBase = 0x10'0F00;  // its second page starts at byte 0x100
  static constexpr std::uint64_t kOther = 0x20'0000;

  IndexNotesTest() {
    for (const auto& [base, id] : {std::pair(kBase, 2u), std::pair(kOther, 1u)}) {
      auto& bytes = id == 2 ? bytes_ : other_bytes_;
      const auto mapped = memory_.map(
          {.base = {base}, .size_bytes = bytes.size(), .host = bytes.data(), .id = {id}});
      EXPECT_TRUE(mapped);
    }
    for (std::size_t n = 0; n < bytes_.size(); ++n) bytes_[n] = static_cast<std::byte>(n);
  }
  void load(IndexNotes& notes, std::uint64_t address, std::uint64_t size_bytes) {
    notes.load(*memory_.find({address}), address, size_bytes);
  }

  std::array<std::byte, 0x200> bytes_{}, other_bytes_{};
  Memory memory_;
};

TEST_F(IndexNotesTest, KeepWhatWasLoadedFirst) {
  IndexNotes notes(1 << 20);
  load(notes, kBase + 4, 4);
  bytes_[4] = bytes_[8] = std::byte{0xFF};
  load(notes, kBase + 4, 8);
  const LoadedIndex index = notes.take(memory_);
  ASSERT_EQ(index.allocations.size(), 1u);
  EXPECT_TRUE(index.complete);
  EXPECT_EQ(index.allocations[0].allocation, AllocationId{2});
  EXPECT_EQ(index.allocations[0].runs, (AccessRuns{{4, 8, 0, 1}}));
  EXPECT_EQ(index.allocations[0].bytes[0], std::byte{4});
  EXPECT_EQ(index.allocations[0].bytes[4], std::byte{0xFF});
}

TEST_F(IndexNotesTest, LeaveOutWhatTheLaunchHasStored) {
  IndexNotes notes(1 << 20);
  load(notes, kBase, 4);
  notes.store(kBase, 16);
  load(notes, kBase, 32);
  EXPECT_EQ(notes.take(memory_).allocations.at(0).runs, (AccessRuns{{0, 4, 0, 1}, {16, 16, 0, 1}}));
}

TEST_F(IndexNotesTest, CrossPagesAndTellAllocationsApart) {
  IndexNotes notes(1 << 20);
  load(notes, kBase + 0xFE, 4);
  load(notes, kOther, 4);
  const LoadedIndex index = notes.take(memory_);
  ASSERT_EQ(index.allocations.size(), 2u);
  EXPECT_EQ(index.allocations[0].allocation, AllocationId{1});
  EXPECT_EQ(index.allocations[0].runs, (AccessRuns{{0, 4, 0, 1}}));
  EXPECT_EQ(index.allocations[1].runs, (AccessRuns{{0xFE, 4, 0, 1}}));
  EXPECT_EQ(index.allocations[1].bytes,
            (Bytes{std::byte{0xFE}, std::byte{0xFF}, std::byte{0}, std::byte{1}}));
}

TEST_F(IndexNotesTest, SayThatThereWasMore) {
  IndexNotes notes(8);
  load(notes, kBase, 8);
  load(notes, kBase, 8);
  load(notes, kBase + 64, 4);
  const LoadedIndex index = notes.take(memory_);
  EXPECT_FALSE(index.complete);
  EXPECT_EQ(index.allocations.at(0).runs, (AccessRuns{{0, 8, 0, 1}}));
}

}  // namespace
}  // namespace compass::interp
