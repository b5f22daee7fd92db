// SPDX-License-Identifier: MIT
#include "driverless/runtime/device_memory.h"

#include <gtest/gtest.h>

#include <array>
#include <cstring>

namespace compass {
namespace {

constexpr std::uint64_t kDeclared = std::uint64_t{1} << 30;

class DeviceMemoryTest : public testing::Test {
 protected:
  std::byte* allocate(std::uint64_t size_bytes, RegionKind kind = RegionKind::kDevice) {
    void* pointer = nullptr;
    EXPECT_EQ(memory_.allocate(kind, size_bytes, &pointer), hip::kSuccess);
    return static_cast<std::byte*>(pointer);
  }

  Memory regions_;
  DeviceMemory memory_{regions_, kDeclared};
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

TEST_F(DeviceMemoryTest, EnforcesTheDeclaredSize) {
  EXPECT_EQ(memory_.free_bytes(), kDeclared);
  std::byte* const start = allocate(kDeclared - 10);
  EXPECT_EQ(memory_.free_bytes(), 10u);
  void* pointer = start;
  EXPECT_EQ(memory_.allocate(RegionKind::kDevice, 11, &pointer), hip::kErrorOutOfMemory);
  EXPECT_EQ(pointer, nullptr);
  allocate(11, RegionKind::kPinnedHost);
  EXPECT_EQ(memory_.free_bytes(), 10u) << "pinned memory is the host's";
  EXPECT_EQ(memory_.free(RegionKind::kDevice, start), hip::kSuccess);
  EXPECT_EQ(memory_.free_bytes(), kDeclared);
}

TEST_F(DeviceMemoryTest, FreesOnlyWhatIsLiveOfItsKind) {
  std::byte* const device = allocate(64);
  std::byte* const pinned = allocate(64, RegionKind::kPinnedHost);
  int local = 0;
  EXPECT_EQ(memory_.free(RegionKind::kDevice, nullptr), hip::kSuccess);
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
  EXPECT_EQ(memory_.allocate(RegionKind::kDevice, 8, nullptr), hip::kErrorInvalidValue);
}

TEST_F(DeviceMemoryTest, CopiesInsideAllocationsOnly) {
  std::byte* const a = allocate(16);
  std::byte* const b = allocate(16);
  std::array<std::byte, 32> host{};
  host.fill(std::byte{7});
  EXPECT_EQ(memory_.copy(a, host.data(), 16, hip::kMemcpyHostToDevice), hip::kSuccess);
  EXPECT_EQ(memory_.copy(b, a, 16, hip::kMemcpyDeviceToDevice), hip::kSuccess);
  host.fill(std::byte{0});
  EXPECT_EQ(memory_.copy(host.data(), b, 16, hip::kMemcpyDefault), hip::kSuccess);
  EXPECT_EQ(host[15], std::byte{7});
  EXPECT_EQ(host[16], std::byte{0});
  EXPECT_EQ(memory_.copy(a, host.data(), 17, hip::kMemcpyHostToDevice), hip::kErrorInvalidValue);
  EXPECT_EQ(memory_.copy(a + 1, host.data(), 16, hip::kMemcpyDefault), hip::kErrorInvalidValue);
  EXPECT_EQ(memory_.copy(host.data(), b, 17, hip::kMemcpyDeviceToHost), hip::kErrorInvalidValue);
}

TEST_F(DeviceMemoryTest, RefusesCopiesThatTheKindForbids) {
  std::byte* const device = allocate(16);
  std::array<std::byte, 16> host{};
  EXPECT_EQ(memory_.copy(host.data(), host.data(), 8, hip::kMemcpyDeviceToHost),
            hip::kErrorInvalidValue);
  EXPECT_EQ(memory_.copy(nullptr, host.data(), 8, hip::kMemcpyDefault), hip::kErrorInvalidValue);
  EXPECT_EQ(memory_.copy(device, nullptr, 8, hip::kMemcpyDefault), hip::kErrorInvalidValue);
  EXPECT_EQ(memory_.copy(device, host.data(), 8, static_cast<hip::MemcpyKind>(9)),
            hip::kErrorInvalidMemcpyDirection);
  EXPECT_EQ(memory_.copy(nullptr, nullptr, 0, hip::kMemcpyDefault), hip::kSuccess);
  EXPECT_EQ(memory_.free(RegionKind::kDevice, device), hip::kSuccess);
  EXPECT_EQ(memory_.copy(host.data(), device, 8, hip::kMemcpyDefault), hip::kErrorInvalidValue)
      << "freed";
}

TEST_F(DeviceMemoryTest, FillsWithEveryWidth) {
  std::byte* const start = allocate(16);
  EXPECT_EQ(memory_.fill(start, {0xAB, 1}, 16), hip::kSuccess);
  EXPECT_EQ(memory_.fill(start, {0x1234, 2}, 2), hip::kSuccess);
  EXPECT_EQ(memory_.fill(start + 8, {0xDEADBEEF, 4}, 1), hip::kSuccess);
  const std::array<unsigned char, 16> expected{0x34, 0x12, 0x34, 0x12, 0xAB, 0xAB, 0xAB, 0xAB,
                                               0xEF, 0xBE, 0xAD, 0xDE, 0xAB, 0xAB, 0xAB, 0xAB};
  EXPECT_EQ(std::memcmp(start, expected.data(), 16), 0);
  EXPECT_EQ(memory_.fill(start, {0, 4}, 5), hip::kErrorInvalidValue);
  EXPECT_EQ(memory_.fill(start, {0, 4}, std::uint64_t{1} << 62), hip::kErrorInvalidValue);
  EXPECT_EQ(memory_.fill(&memory_, {0, 1}, 1), hip::kErrorInvalidValue);
}

}  // namespace
}  // namespace compass
