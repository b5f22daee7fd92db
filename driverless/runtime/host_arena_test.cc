// SPDX-License-Identifier: MIT
#include "driverless/runtime/host_arena.h"

#include <gtest/gtest.h>

#include <cstring>

namespace compass {
namespace {

constexpr std::uint64_t kMiB = 1 << 20;
constexpr std::size_t kPage = HostArena::kPageBytes;

std::uint64_t number_of(const std::byte* pointer) {
  return reinterpret_cast<std::uint64_t>(pointer);
}

HostArena reserve(std::uint64_t size_bytes) {
  Result<HostArena> arena = HostArena::reserve(size_bytes);
  EXPECT_TRUE(arena) << arena.error().message;
  return *std::move(arena);
}

TEST(HostArena, AlignsAscendsAndKeepsAGap) {
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
  EXPECT_GE(number_of(last), number_of(page) + 4096 + 256);
}

TEST(HostArena, IsZeroAtFirst) {
  HostArena arena = reserve(kMiB);
  const std::byte* const start = arena.allocate(8192);
  for (int i = 0; i < 8192; ++i) ASSERT_EQ(start[i], std::byte{0});
}

TEST(HostArena, UsesAnAddressAgainOnlyWhenTheRangeIsUsedUp) {
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

TEST(HostArena, RefusesWhatDoesNotFit) {
  HostArena arena = reserve(kMiB);
  EXPECT_EQ(arena.allocate(2 * kMiB), nullptr);
  EXPECT_EQ(arena.allocate(~std::uint64_t{0}), nullptr);
  EXPECT_NE(arena.allocate(kMiB), nullptr);
  EXPECT_EQ(arena.allocate(1), nullptr);
}

TEST(HostArena, ClearsExactlyWhatItIsAsked) {
  HostArena arena = reserve(kMiB);
  std::byte* const start = arena.allocate(5 * kPage);
  std::memset(start, 0x5A, 5 * kPage);
  HostArena::clear({start + 100, 4 * kPage});
  EXPECT_EQ(start[99], std::byte{0x5A});
  EXPECT_EQ(start[100], std::byte{0});
  EXPECT_EQ(start[2 * kPage], std::byte{0});
  EXPECT_EQ(start[100 + 4 * kPage - 1], std::byte{0});
  EXPECT_EQ(start[100 + 4 * kPage], std::byte{0x5A});
}

TEST(HostArena, KnowsItsRange) {
  HostArena arena = reserve(kMiB);
  std::byte* const start = arena.allocate(16);
  EXPECT_TRUE(arena.covers(start));
  EXPECT_TRUE(arena.covers(start + 4096));
  EXPECT_FALSE(arena.covers(&arena));
  EXPECT_FALSE(arena.covers(nullptr));
}

TEST(HostArena, ReservesTheDefaultRange) {
  Result<HostArena> arena = HostArena::reserve();
  ASSERT_TRUE(arena) << arena.error().message;
  EXPECT_NE(arena->allocate(std::uint64_t{1} << 27), nullptr);
}

}  // namespace
}  // namespace compass
