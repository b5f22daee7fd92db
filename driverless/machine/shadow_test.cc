// SPDX-License-Identifier: MIT
#include "driverless/machine/shadow.h"

#include <gtest/gtest.h>

namespace compass {
namespace {

constexpr std::uint64_t kGiB = std::uint64_t{1} << 30;

TEST(Shadow, BytesAreUndefinedUntilWritten) {
  Shadow shadow(10000, ByteState::kUndefined);
  EXPECT_FALSE(shadow.read(4090, 12));
  shadow.write(4090, 12);
  EXPECT_TRUE(shadow.read(4090, 12));
  EXPECT_FALSE(shadow.read(4089, 2));
  EXPECT_EQ(shadow.state(4089), ByteState::kUndefined);
  EXPECT_EQ(shadow.state(4101), ByteState::kKnown);
  EXPECT_EQ(shadow.state(4102), ByteState::kUndefined);
}

TEST(Shadow, APageWrittenPiecemealBecomesKnown) {
  Shadow shadow(8192, ByteState::kUndefined);
  for (std::uint64_t at = 0; at < 4096; at += 4) shadow.write(at, 4);
  EXPECT_TRUE(shadow.is_known(0, 4096));
  EXPECT_FALSE(shadow.is_known(0, 4097));
}

/// Lanes near each other, far from each other, in any order and across pages.
void set_addresses(std::uint64_t (&address)[64], std::uint64_t base) {
  for (std::uint64_t lane = 0; lane < 64; ++lane) {
    address[lane] = base + (lane % 7 == 0 ? 4090 + lane : lane < 32 ? 4 * lane : 9000 - 5 * lane);
  }
}

TEST(Shadow, TakesAccessesOfManyLanesLikeSingleOnes) {
  constexpr std::uint64_t kBytes = 3 * 4096, kBase = 0x7000'0000'0000;
  constexpr std::uint64_t kLanes = 0xF0FF'FFFF'FFFF'FFF6;
  std::uint64_t address[64];
  set_addresses(address, kBase);
  for (const std::uint32_t size : {1u, 2u, 4u, 16u, 64u}) {
    Shadow together(kBytes, ByteState::kUndefined), single(kBytes, ByteState::kUndefined);
    together.set(64, 4096, ByteState::kKnown, 1);
    single.set(64, 4096, ByteState::kKnown, 1);
    bool all_known = true;
    for (unsigned lane = 0; lane < 64; ++lane) {
      if ((kLanes >> lane & 1) != 0) all_known &= single.read(address[lane] - kBase, size);
    }
    EXPECT_EQ(together.read_each(kLanes, address, kBase, size), all_known);
    EXPECT_TRUE(together.read_each(0x1F0000, address, kBase, size)) << "known bytes only";
    for (unsigned lane = 0; lane < 64; ++lane) {
      if ((kLanes >> lane & 1) != 0) single.write(address[lane] - kBase, size);
    }
    together.write_each(kLanes, address, kBase, size);
    for (std::uint64_t at = 0; at < kBytes; ++at) {
      ASSERT_EQ(together.state(at), single.state(at)) << size << " " << at;
    }
    const TouchedExtents a = together.end_launch(2), b = single.end_launch(2);
    EXPECT_EQ(a.writes, b.writes);
    EXPECT_EQ(a.reads, b.reads);
  }
}

TEST(Shadow, TellsWhatALaunchTouched) {
  Shadow shadow(3 * 4096, ByteState::kKnown);
  shadow.write(4000, 200);
  shadow.write(60, 8);
  shadow.read(8192, 4);
  shadow.read(8196, 4);
  const TouchedExtents touched = shadow.end_launch(7);
  EXPECT_EQ(touched.writes, (std::vector<Extent>{{60, 68}, {4000, 4200}}));
  EXPECT_EQ(touched.reads, (std::vector<Extent>{{8192, 8200}}));
  EXPECT_TRUE(shadow.end_launch(8).reads.empty());
}

TEST(Shadow, RemembersTheLastWriterOfEachByte) {
  Shadow shadow(8192, ByteState::kKnown);
  shadow.set(0, 8192, ByteState::kKnown, 1);
  shadow.write(100, 50);
  shadow.end_launch(2);
  shadow.write(120, 10);
  shadow.end_launch(3);
  EXPECT_EQ(shadow.writer(99), 1u);
  EXPECT_EQ(shadow.writer(100), 2u);
  EXPECT_EQ(shadow.writer(125), 3u);
  EXPECT_EQ(shadow.writer(130), 2u);
  EXPECT_EQ(shadow.writer(150), 1u);
  shadow.set(0, 4096, ByteState::kKnown, 4);
  EXPECT_EQ(shadow.writer(125), 4u);
}

TEST(Shadow, FindsTheFirstByteOfAState) {
  Shadow shadow(kGiB, ByteState::kUndefined);
  EXPECT_EQ(shadow.find(5, kGiB - 5, ByteState::kUnknown), kGiB);
  EXPECT_EQ(shadow.find(5, 10, ByteState::kUndefined), 5u);
  shadow.set(kGiB / 2 + 77, 3, ByteState::kUnknown, 1);
  EXPECT_EQ(shadow.find(5, kGiB - 5, ByteState::kUnknown), kGiB / 2 + 77);
  EXPECT_EQ(shadow.find(0, kGiB / 2 + 77, ByteState::kUnknown), kGiB / 2 + 77);
  EXPECT_EQ(shadow.find(kGiB / 2 + 80, 4096, ByteState::kUnknown), kGiB / 2 + 80 + 4096);
}

TEST(Shadow, ACopyBringsStatesAlong) {
  Shadow from(4096, ByteState::kUndefined), to(4096, ByteState::kKnown);
  from.set(16, 16, ByteState::kKnown, 1);
  to.copy(0, from, 8, 16, 5);
  EXPECT_EQ(to.state(7), ByteState::kUndefined);
  EXPECT_EQ(to.state(8), ByteState::kKnown);
  EXPECT_EQ(to.writer(8), 5u);
  EXPECT_EQ(to.state(16), ByteState::kKnown);
}

TEST(Shadow, AHugeRegionIsSetWithoutTouchingItsPages) {
  Shadow shadow(250 * kGiB, ByteState::kUndefined);
  shadow.set(0, 250 * kGiB, ByteState::kKnown, 9);
  EXPECT_TRUE(shadow.is_known(0, 250 * kGiB));
  EXPECT_EQ(shadow.writer(200 * kGiB + 5), 9u);
}

TEST(Shadow, UnknownIsNoUndefined) {
  Shadow shadow(4096, ByteState::kKnown);
  shadow.set(10, 10, ByteState::kUnknown, 2);
  EXPECT_EQ(shadow.worst(0, 4096), ByteState::kUnknown);
  EXPECT_FALSE(shadow.read(12, 4));
  shadow.set_state(12, 4, ByteState::kUndefined);
  EXPECT_EQ(shadow.worst(0, 4096), ByteState::kUndefined);
}

}  // namespace
}  // namespace compass
