// SPDX-License-Identifier: MIT
#include "driverless/runtime/device_memory.h"

#include <gtest/gtest.h>

#include <array>
#include <cstring>

namespace compass {
namespace {

class DeviceMemoryTest : public testing::Test {
 protected:
  std::byte* allocate(std::uint64_t size_bytes, RegionKind kind = RegionKind::kDevice) {
    void* pointer = nullptr;
    EXPECT_EQ(memory_.allocate(kind, size_bytes, &pointer), hip::kSuccess);
    return static_cast<std::byte*>(pointer);
  }

  /// Checks a linear copy and, where it is right, carries it out.
  hip::Error copy(void* to, const void* from, std::uint64_t size_bytes, hip::MemcpyKind kind) {
    return run(CopyOperation{.to = {.pointer = to},
                             .from = {.pointer = const_cast<void*>(from)},
                             .box = {.width_bytes = size_bytes},
                             .kind = kind});
  }
  hip::Error fill(void* to, Pattern pattern, std::uint64_t count) {
    return run(FillOperation{.to = {.pointer = to},
                             .pattern = pattern,
                             .box = {.width_bytes = count * pattern.size_bytes}});
  }
  template <class Operation>
  hip::Error run(const Operation& operation) {
    const hip::Error error = memory_.check(operation);
    if (error == hip::kSuccess) memory_.run(operation, 0);
    return error;
  }

  Memory regions_;
  DeviceMemory memory_{regions_};
};

TEST_F(DeviceMemoryTest, MapsExactlyWhatIsAskedFor) {
  std::byte* const start = allocate(100);
  const DeviceAddress base{reinterpret_cast<std::uint64_t>(start)};
  const Region* const region = regions_.find(base);
  ASSERT_NE(region, nullptr);
  EXPECT_EQ(region->base, base);
  EXPECT_EQ(region->size_bytes, 100u);
  EXPECT_EQ(region->host, start);
  EXPECT_EQ(regions_.find(base + 100), nullptr);
}

TEST_F(DeviceMemoryTest, EndsOnlyWhatIsLive) {
  std::byte* const start = allocate(64);
  int local = 0;
  EXPECT_EQ(memory_.end(nullptr), hip::kErrorInvalidValue);
  EXPECT_EQ(memory_.end(start + 1), hip::kErrorInvalidValue);
  EXPECT_EQ(memory_.end(&local), hip::kErrorInvalidValue);
  EXPECT_EQ(memory_.end(start), hip::kSuccess);
  EXPECT_EQ(memory_.end(start), hip::kErrorInvalidValue);
}

TEST_F(DeviceMemoryTest, TellsHowMemoryCameToBe) {
  void* pointer = nullptr;
  ASSERT_EQ(
      memory_.allocate(RegionKind::kPinnedHost, 64, &pointer, {.device_ordinal = 3, .flags = 5}),
      hip::kSuccess);
  auto* const start = static_cast<std::byte*>(pointer);
  const LiveAllocation found = memory_.find(start + 63);
  ASSERT_TRUE(found);
  EXPECT_EQ(found.region->kind, RegionKind::kPinnedHost);
  EXPECT_EQ(found.origin->device_ordinal, 3);
  EXPECT_EQ(found.origin->flags, 5u);
  EXPECT_FALSE(memory_.find(start + 64));
  EXPECT_TRUE(memory_.starting_at(start));
  EXPECT_FALSE(memory_.starting_at(start + 1));
}

TEST_F(DeviceMemoryTest, KeepsWhatEndsForTheWorkThatWasGivenBefore) {
  std::byte* const start = allocate(64);
  const FillOperation before{.to = {start}, .pattern = {7, 1}, .box = {64}};
  EXPECT_EQ(memory_.check(before), hip::kSuccess);
  memory_.begin_end(start);
  EXPECT_EQ(memory_.check(before), hip::kErrorInvalidValue) << "new work";
  EXPECT_FALSE(memory_.find(start));
  ASSERT_TRUE(memory_.ending_at(start));
  memory_.run(before, 0);
  EXPECT_EQ(start[63], std::byte{7});
  EXPECT_EQ(memory_.end(start), hip::kSuccess);
  EXPECT_FALSE(memory_.ending_at(start));
}

TEST_F(DeviceMemoryTest, MapsTheHostsOwnBytes) {
  std::array<std::byte, 32> host{};
  const Region region{.base = {reinterpret_cast<std::uint64_t>(host.data())},
                      .size_bytes = host.size(),
                      .host = host.data(),
                      .kind = RegionKind::kPinnedHost,
                      .id = {}};
  EXPECT_TRUE(memory_.is_pageable(host.data()));
  EXPECT_EQ(memory_.map(region, {.source = AllocationOrigin::Source::kRegistered}), hip::kSuccess);
  EXPECT_EQ(memory_.map(region, {.source = AllocationOrigin::Source::kRegistered}),
            hip::kErrorAlreadyMapped);
  EXPECT_FALSE(memory_.is_pageable(host.data()));
  EXPECT_EQ(fill(host.data(), {9, 1}, 32), hip::kSuccess);
  EXPECT_EQ(host[31], std::byte{9});
  EXPECT_EQ(memory_.end(host.data()), hip::kSuccess);
  EXPECT_EQ(host[31], std::byte{9}) << "it stays the host's";
  EXPECT_TRUE(memory_.is_pageable(host.data()));
}

TEST_F(DeviceMemoryTest, TakesOnlyWhatIsMappedSideBySideAsOne) {
  auto* const range = static_cast<std::byte*>(memory_.reserve(64));
  std::array<std::byte, 64> storage{};
  const auto map_half = [&](std::size_t offset, AllocationOrigin::Source source) {
    return memory_.map({.base = {reinterpret_cast<std::uint64_t>(range + offset)},
                        .size_bytes = 32,
                        .host = storage.data() + (32 - offset),
                        .kind = RegionKind::kDevice,
                        .id = {}},
                       {.source = source});
  };
  ASSERT_EQ(map_half(0, AllocationOrigin::Source::kMapped), hip::kSuccess);
  EXPECT_EQ(fill(range, {1, 1}, 64), hip::kErrorInvalidValue) << "the second half is not mapped";
  ASSERT_EQ(map_half(32, AllocationOrigin::Source::kMapped), hip::kSuccess);
  EXPECT_EQ(fill(range + 16, {1, 1}, 32), hip::kSuccess);
  EXPECT_EQ(storage[0], std::byte{1}) << "the start of the second half";
  EXPECT_EQ(storage[16], std::byte{0});
  EXPECT_EQ(storage[63], std::byte{1}) << "the end of the first half";
  std::array<std::byte, 64> host{};
  EXPECT_EQ(copy(host.data(), range, 64, hip::kMemcpyDeviceToHost), hip::kSuccess);
  EXPECT_EQ(host[15], std::byte{0});
  EXPECT_EQ(host[16], std::byte{1});
  EXPECT_EQ(host[47], std::byte{1});
  EXPECT_EQ(host[48], std::byte{0});
  EXPECT_EQ(memory_.end(range + 32), hip::kSuccess);
  ASSERT_EQ(map_half(32, AllocationOrigin::Source::kRegistered), hip::kSuccess);
  EXPECT_EQ(fill(range, {1, 1}, 64), hip::kErrorInvalidValue) << "neighbours by chance";
}

TEST_F(DeviceMemoryTest, GivesNullForNoBytes) {
  void* pointer = this;
  EXPECT_EQ(memory_.allocate(RegionKind::kDevice, 0, &pointer), hip::kSuccess);
  EXPECT_EQ(pointer, nullptr);
}

TEST_F(DeviceMemoryTest, CopiesInsideAllocationsOnly) {
  std::byte* const a = allocate(16);
  std::byte* const b = allocate(16);
  std::array<std::byte, 32> host{};
  host.fill(std::byte{7});
  EXPECT_EQ(copy(a, host.data(), 16, hip::kMemcpyHostToDevice), hip::kSuccess);
  EXPECT_EQ(copy(b, a, 16, hip::kMemcpyDeviceToDevice), hip::kSuccess);
  host.fill(std::byte{0});
  EXPECT_EQ(copy(host.data(), b, 16, hip::kMemcpyDefault), hip::kSuccess);
  EXPECT_EQ(host[15], std::byte{7});
  EXPECT_EQ(host[16], std::byte{0});
  EXPECT_EQ(copy(a, host.data(), 17, hip::kMemcpyHostToDevice), hip::kErrorInvalidValue);
  EXPECT_EQ(copy(a + 1, host.data(), 16, hip::kMemcpyDefault), hip::kErrorInvalidValue);
  EXPECT_EQ(copy(host.data(), b, 17, hip::kMemcpyDeviceToHost), hip::kErrorInvalidValue);
}

TEST_F(DeviceMemoryTest, RefusesCopiesThatTheKindForbids) {
  std::byte* const device = allocate(16);
  std::array<std::byte, 16> host{};
  EXPECT_EQ(copy(host.data(), host.data(), 8, hip::kMemcpyDeviceToHost), hip::kErrorInvalidValue);
  EXPECT_EQ(copy(nullptr, host.data(), 8, hip::kMemcpyDefault), hip::kErrorInvalidValue);
  EXPECT_EQ(copy(device, nullptr, 8, hip::kMemcpyDefault), hip::kErrorInvalidValue);
  EXPECT_EQ(copy(device, host.data(), 8, static_cast<hip::MemcpyKind>(9)),
            hip::kErrorInvalidMemcpyDirection);
  EXPECT_EQ(copy(nullptr, nullptr, 0, hip::kMemcpyDefault), hip::kSuccess);
  EXPECT_EQ(memory_.end(device), hip::kSuccess);
  EXPECT_EQ(copy(host.data(), device, 8, hip::kMemcpyDefault), hip::kErrorInvalidValue) << "freed";
}

TEST_F(DeviceMemoryTest, FillsWithEveryWidth) {
  std::byte* const start = allocate(16);
  EXPECT_EQ(fill(start, {0xAB, 1}, 16), hip::kSuccess);
  EXPECT_EQ(fill(start, {0x1234, 2}, 2), hip::kSuccess);
  EXPECT_EQ(fill(start + 8, {0xDEADBEEF, 4}, 1), hip::kSuccess);
  const std::array<unsigned char, 16> expected{0x34, 0x12, 0x34, 0x12, 0xAB, 0xAB, 0xAB, 0xAB,
                                               0xEF, 0xBE, 0xAD, 0xDE, 0xAB, 0xAB, 0xAB, 0xAB};
  EXPECT_EQ(std::memcmp(start, expected.data(), 16), 0);
  EXPECT_EQ(fill(start, {0, 4}, 5), hip::kErrorInvalidValue);
  EXPECT_EQ(fill(&memory_, {0, 1}, 1), hip::kErrorInvalidValue);
}

TEST_F(DeviceMemoryTest, CopiesRowsAndSlicesByTheirPitches) {
  std::byte* const device = allocate(64);
  std::array<unsigned char, 24> host{};
  for (std::size_t i = 0; i < host.size(); ++i) host[i] = static_cast<unsigned char>(i + 1);
  EXPECT_EQ(fill(device, {0, 1}, 64), hip::kSuccess);
  // Two slices of two rows of three bytes: from rows of 4 in slices of 12 to rows of 8 in 32.
  const CopyOperation there{.to = {device, 8, 32},
                            .from = {host.data(), 4, 12},
                            .box = {.width_bytes = 3, .height = 2, .depth = 2},
                            .kind = hip::kMemcpyHostToDevice};
  EXPECT_EQ(run(there), hip::kSuccess);
  std::array<unsigned char, 64> expected{};
  for (const std::size_t slice : {0, 1}) {
    for (const std::size_t row : {0, 1}) {
      for (std::size_t i = 0; i < 3; ++i) {
        expected[slice * 32 + row * 8 + i] = host[slice * 12 + row * 4 + i];
      }
    }
  }
  EXPECT_EQ(std::memcmp(device, expected.data(), expected.size()), 0);
}

TEST_F(DeviceMemoryTest, RefusesBoxesThatOverlapOrLeaveTheAllocation) {
  std::byte* const device = allocate(64);
  FillOperation fill{.to = {device, 8, 32}, .pattern = {1, 1}, .box = {8, 4, 2}};
  EXPECT_EQ(memory_.check(fill), hip::kSuccess);
  fill.box.height = 5;
  EXPECT_EQ(memory_.check(fill), hip::kErrorInvalidPitchValue) << "slices overlap";
  fill = {.to = {device, 8, 40}, .pattern = {1, 1}, .box = {8, 4, 2}};
  EXPECT_EQ(memory_.check(fill), hip::kErrorInvalidValue) << "the last row ends at 72 of 64";
  fill = {.to = {device, 4, 32}, .pattern = {1, 1}, .box = {8, 2, 1}};
  EXPECT_EQ(memory_.check(fill), hip::kErrorInvalidPitchValue) << "rows overlap";
  fill = {.to = {device, ~std::uint64_t{0}, 0}, .pattern = {1, 1}, .box = {8, 3, 1}};
  EXPECT_EQ(memory_.check(fill), hip::kErrorInvalidPitchValue) << "no number of 64 bits";
}

}  // namespace
}  // namespace compass
