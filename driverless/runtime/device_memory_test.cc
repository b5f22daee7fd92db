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

TEST_F(DeviceMemoryTest, FreesOnlyWhatIsLiveOfItsKind) {
  std::byte* const device = allocate(64);
  std::byte* const pinned = allocate(64, RegionKind::kPinnedHost);
  int local = 0;
  EXPECT_EQ(memory_.free(RegionKind::kDevice, nullptr), hip::kErrorInvalidValue);
  EXPECT_EQ(memory_.free(RegionKind::kDevice, device + 1), hip::kErrorInvalidValue);
  EXPECT_EQ(memory_.free(RegionKind::kDevice, pinned), hip::kErrorInvalidValue);
  EXPECT_EQ(memory_.free(RegionKind::kPinnedHost, device), hip::kErrorInvalidValue);
  EXPECT_EQ(memory_.free(RegionKind::kDevice, &local), hip::kErrorInvalidValue);
  EXPECT_EQ(memory_.free(RegionKind::kDevice, device), hip::kSuccess);
  EXPECT_EQ(memory_.free(RegionKind::kDevice, device), hip::kErrorInvalidValue);
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
  EXPECT_EQ(memory_.free(RegionKind::kDevice, device), hip::kSuccess);
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
