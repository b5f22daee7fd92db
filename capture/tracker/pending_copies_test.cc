// SPDX-License-Identifier: MIT
#include "capture/tracker/pending_copies.h"

#include <gtest/gtest.h>

namespace compass::capture {
namespace {

constexpr std::uint64_t kLegacy = 0;
constexpr std::uint64_t kA = 0x1000;
constexpr std::uint64_t kB = 0x2000;
constexpr std::uint64_t kEvent = 0x3000;
constexpr auto kSource = PendingCopies::HostSide::kSource;
constexpr auto kDestination = PendingCopies::HostSide::kDestination;

class PendingCopiesTest : public ::testing::Test {
 protected:
  /// Copy number 1, 2, …, each of memory of its own.
  void copy(std::uint64_t stream, PendingCopies::HostSide side = kSource) {
    ++copies_;
    copy_at(stream, side, copies_ * 0x100);
  }
  void copy_at(std::uint64_t stream, PendingCopies::HostSide side, std::uint64_t address) {
    pending_.add_copy(stream, {{++entries_, 0}, side, {address, 16, {}, {}}, {}, 0});
  }
  /// The entries of copies.
  std::vector<std::uint64_t> taken(const std::vector<PendingCopies::Id>& ids) {
    std::vector<std::uint64_t> entries;
    for (const PendingCopies::Copy& copy : pending_.take(ids)) entries.push_back(copy.doer.entry);
    return entries;
  }
  using Entries = std::vector<std::uint64_t>;

  PendingCopies pending_;
  std::uint64_t copies_ = 0;
  std::uint64_t entries_ = 0;
};

TEST_F(PendingCopiesTest, AStreamIsWaitedForUpToNow) {
  copy(kA);
  copy(kB);
  copy(kA);
  const auto ids = pending_.before_stream(kA);
  copy(kA);
  EXPECT_EQ(taken(ids), (Entries{1, 3}));
  EXPECT_EQ(taken(ids), Entries{}) << "what was taken is pending no more";
  EXPECT_EQ(taken(pending_.before_device()), (Entries{2, 4}));
  EXPECT_TRUE(pending_.is_empty());
}

TEST_F(PendingCopiesTest, AnEventStandsForItsStreamWhenItWasRecorded) {
  copy(kA);
  pending_.record_event(kA, kEvent);
  copy(kA);
  EXPECT_EQ(taken(pending_.before_event(kEvent)), Entries{1});
  EXPECT_EQ(taken(pending_.before_event(kEvent + 1)), Entries{});
}

TEST_F(PendingCopiesTest, AWaitThatAStreamMadeIsWaitedForWithIt) {
  copy(kA);
  pending_.record_event(kA, kEvent);
  copy(kA);
  pending_.wait_event(kB, kEvent);
  EXPECT_EQ(taken(pending_.before_stream(kB)), Entries{1});
}

TEST_F(PendingCopiesTest, WorkOfABlockingStreamComesAfterTheLegacyStreams) {
  copy(kLegacy);
  EXPECT_EQ(pending_.before_stream(kA), Entries{}) << "it was given nothing since";
  pending_.add_work(kA);
  copy(kLegacy);
  EXPECT_EQ(taken(pending_.before_stream(kA)), Entries{1});
}

TEST_F(PendingCopiesTest, WorkOfTheLegacyStreamComesAfterAllBlockingStreams) {
  copy(kA);
  pending_.add_work(kLegacy);
  pending_.record_event(kLegacy, kEvent);
  copy(kA);
  EXPECT_EQ(taken(pending_.before_event(kEvent)), Entries{1});
  EXPECT_EQ(taken(pending_.before_stream(kLegacy)), Entries{2}) << "the host waits for all of them";
}

TEST_F(PendingCopiesTest, ANonBlockingStreamIsInNoOrderWithTheLegacyStream) {
  pending_.add_stream(kA, false);
  copy(kA);
  copy(kLegacy);
  pending_.add_work(kA);
  EXPECT_EQ(taken(pending_.before_stream(kLegacy)), Entries{2});
  EXPECT_EQ(taken(pending_.before_stream(kA)), Entries{1});
}

TEST_F(PendingCopiesTest, AHandleThatIsUsedAgainIsAnotherStream) {
  copy(kA);
  pending_.forget_stream(kA);
  copy(kA);
  EXPECT_EQ(taken(pending_.before_stream(kA)), Entries{2});
}

TEST_F(PendingCopiesTest, NothingIsKnownOfEventsFromBeforeTheCopies) {
  copy(kA);
  pending_.record_event(kA, kEvent);
  EXPECT_EQ(taken(pending_.before_device()), Entries{1});
  copy(kA);
  EXPECT_EQ(taken(pending_.before_event(kEvent)), Entries{});
}

TEST_F(PendingCopiesTest, MemoryThatEndsAndCallsThatFailAreForgotten) {
  copy_at(kA, kSource, 0x100);
  copy_at(kA, kSource, 0x110);
  copy_at(kA, kSource, 0x200);
  pending_.forget_memory(0x108, 8);
  pending_.forget_entry(3);
  EXPECT_EQ(taken(pending_.before_device()), Entries{2});
}

TEST_F(PendingCopiesTest, WhatIsOverwrittenByALaterCopyIsNotTheEarlierOnes) {
  copy_at(kA, kDestination, 0x100);
  copy_at(kA, kSource, 0x108);
  copy_at(kA, kDestination, 0x100);
  const auto copies = pending_.take(pending_.before_device());
  ASSERT_EQ(copies.size(), 3u);
  EXPECT_TRUE(copies[0].is_overwritten);
  EXPECT_TRUE(copies[1].is_overwritten);
  EXPECT_FALSE(copies[2].is_overwritten);
}

TEST_F(PendingCopiesTest, KnowInWhichCallACopyRan) {
  copy(kA);
  copy(kA);
  pending_.note_ran(2, 7);
  pending_.note_ran(9, 8);
  const auto copies = pending_.take(pending_.before_device());
  EXPECT_EQ(copies[0].ran_in, 0u);
  EXPECT_EQ(copies[1].ran_in, 7u);
}

TEST_F(PendingCopiesTest, OfCopiesThatNobodyWaitsForTheOldestAreForgotten) {
  for (std::size_t i = 0; i < 2 * PendingCopies::kMost; ++i) copy(kA);
  const auto ids = pending_.before_stream(kA);
  EXPECT_LE(ids.size(), PendingCopies::kMost);
  EXPECT_EQ(taken(ids).back(), 2 * PendingCopies::kMost);
}

}  // namespace
}  // namespace compass::capture
