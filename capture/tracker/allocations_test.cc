// SPDX-License-Identifier: MIT
#include "capture/tracker/allocations.h"

#include <gtest/gtest.h>

namespace compass::capture {
namespace {

using journal::MemoryKind;

TEST(Allocations, AreFoundByAnyOfTheirBytes) {
  Allocations allocations;
  allocations.add({0x1000, 0x10, MemoryKind::kDevice});
  allocations.add({0x1010, 0x10, MemoryKind::kPinnedHost});
  EXPECT_FALSE(allocations.find(0xFFF));
  EXPECT_EQ(allocations.find(0x1000)->address, 0x1000u);
  EXPECT_EQ(allocations.find(0x100F)->kind, MemoryKind::kDevice);
  EXPECT_EQ(allocations.find(0x1010)->kind, MemoryKind::kPinnedHost);
  EXPECT_FALSE(allocations.find(0x1020));
}

TEST(Allocations, EndOnlyAtTheirStart) {
  Allocations allocations;
  allocations.add({0x1000, 0x10, MemoryKind::kDevice});
  EXPECT_FALSE(allocations.remove(0x1001));
  EXPECT_TRUE(allocations.remove(0x1000));
  EXPECT_FALSE(allocations.remove(0x1000));
  EXPECT_FALSE(allocations.find(0x1000));
}

TEST(Allocations, AreRememberedForAWhileAfterTheirEnd) {
  Allocations allocations;
  allocations.add({0x10, 0x10, MemoryKind::kDevice});
  EXPECT_FALSE(allocations.has_ended(0x10));
  EXPECT_EQ(allocations.remove(0x10)->size_bytes, 0x10u);
  EXPECT_TRUE(allocations.has_ended(0x10));
  EXPECT_FALSE(allocations.has_ended(0x11));
  for (std::uint64_t n = 2; n < 2 + Allocations::kRemembered; ++n) {
    allocations.add({n * 0x10, 0x10, MemoryKind::kDevice});
    EXPECT_TRUE(allocations.remove(n * 0x10));
  }
  EXPECT_FALSE(allocations.has_ended(0x10));
  EXPECT_TRUE(allocations.has_ended(0x20));
  allocations.clear();
  EXPECT_FALSE(allocations.has_ended(0x20));
}

TEST(Allocations, AtTheSameAddressReplaceEachOther) {
  Allocations allocations;
  allocations.add({0x1000, 0x10, MemoryKind::kDevice});
  allocations.add({0x1000, 0x20, MemoryKind::kPinnedHost});
  EXPECT_EQ(allocations.find(0x101F)->kind, MemoryKind::kPinnedHost);
}

TEST(Allocations, MayEndAtTheLastAddress) {
  Allocations allocations;
  allocations.add({~std::uint64_t{0} - 0xF, 0x10, MemoryKind::kDevice});
  EXPECT_TRUE(allocations.find(~std::uint64_t{0}));
}

TEST(Allocations, OfTheDeviceAreThoseThatAreNotTheHosts) {
  Allocations allocations;
  allocations.add({0x1000, 0x10, MemoryKind::kDevice});
  allocations.add({0x2000, 0x10, MemoryKind::kPinnedHost});
  allocations.add({0x3000, 0x10, MemoryKind::kManaged});
  const auto found = allocations.of_device();
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].address, 0x1000u);
  EXPECT_EQ(found[1].address, 0x3000u);
}

}  // namespace
}  // namespace compass::capture
