// SPDX-License-Identifier: MIT
#include "driverless/runtime/host_arena.h"

#include <gtest/gtest.h>
#include <sys/mman.h>

#include <array>
#include <cstring>

namespace compass {
namespace {

constexpr std::uint64_t kMiB = 1 << 20;
constexpr std::size_t kPage = HostArena::kPageBytes;

std::uint64_t number_of(const std::byte* pointer) {
  return reinterpret_cast<std::uint64_t>(pointer);
}

class HostArenaTest : public testing::Test {
 protected:
  HostArena reserve(std::uint64_t size_bytes) {
    Result<HostArena> arena = HostArena::reserve(storage_, size_bytes);
    EXPECT_TRUE(arena) << arena.error().message;
    return *std::move(arena);
  }

  HostStorage storage_;
};

TEST_F(HostArenaTest, AlignsAscendsAndKeepsAGap) {
  HostArena arena = reserve(kMiB);
  std::byte* const small = arena.allocate(1);
  std::byte* const next = arena.allocate(300);
  std::byte* const page = arena.allocate(4096);
  std::byte* const last = arena.allocate(5);
  EXPECT_EQ(number_of(small) % 256, 0u);
  EXPECT_EQ(number_of(next) % 256, 0u);
  EXPECT_EQ(number_of(page) % 4096, 0u);
  EXPECT_GE(number_of(next), number_of(small) + 1 + 256);
  EXPECT_GE(number_of(page), number_of(next) + 300 + 256);
  EXPECT_GE(number_of(last), number_of(page) + 4096 + 65536);
}

TEST_F(HostArenaTest, IsZeroAtFirst) {
  HostArena arena = reserve(kMiB);
  const std::byte* const start = arena.allocate(8192);
  for (int i = 0; i < 8192; ++i) ASSERT_EQ(start[i], std::byte{0});
}

TEST_F(HostArenaTest, GivesBackAllPagesOfWhatIsReleased) {
  HostArena arena = reserve(kMiB);
  std::byte* const small = arena.allocate(100);
  std::byte* const start = arena.allocate(2 * kPage + 1);
  std::byte* const next = arena.allocate(100);
  small[99] = next[0] = std::byte{1};
  std::memset(start, 0x5A, 2 * kPage + 1);
  arena.release(start);
  std::array<unsigned char, 3> resident{1, 1, 1};
  ASSERT_EQ(::mincore(start, 3 * kPage, resident.data()), 0);
  for (const unsigned char page : resident) EXPECT_EQ(page & 1, 0);
  EXPECT_EQ(small[99], std::byte{1});
  EXPECT_EQ(next[0], std::byte{1});
}

TEST_F(HostArenaTest, UsesAnAddressAgainOnlyWhenTheRangeIsUsedUp) {
  HostArena arena = reserve(kMiB);
  std::byte* const first = arena.allocate(400'000);
  arena.release(first);
  std::byte* const second = arena.allocate(400'000);
  EXPECT_NE(first, second);
  arena.release(second);
  EXPECT_EQ(arena.allocate(400'000), first);
  EXPECT_EQ(arena.allocate(400'000), second);
  EXPECT_EQ(arena.allocate(400'000), nullptr);
}

TEST_F(HostArenaTest, RefusesWhatDoesNotFit) {
  HostArena arena = reserve(kMiB);
  EXPECT_EQ(arena.allocate(2 * kMiB), nullptr);
  EXPECT_EQ(arena.allocate(~std::uint64_t{0}), nullptr);
  EXPECT_NE(arena.allocate(kMiB), nullptr);
  EXPECT_EQ(arena.allocate(1), nullptr);
}

TEST_F(HostArenaTest, KnowsItsRange) {
  HostArena arena = reserve(kMiB);
  std::byte* const start = arena.allocate(16);
  EXPECT_TRUE(arena.covers(start));
  EXPECT_TRUE(arena.covers(start + 4096));
  EXPECT_FALSE(arena.covers(&arena));
  EXPECT_FALSE(arena.covers(nullptr));
}

TEST_F(HostArenaTest, ReservesTheDefaultRange) {
  Result<HostArena> arena = HostArena::reserve(storage_);
  ASSERT_TRUE(arena) << arena.error().message;
  EXPECT_NE(arena->allocate(std::uint64_t{1} << 27), nullptr);
}

}  // namespace
}  // namespace compass
