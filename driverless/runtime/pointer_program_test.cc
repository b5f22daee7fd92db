// SPDX-License-Identifier: MIT

// A program that asks what its pointers point to.

#include <gtest/gtest.h>

#include "driverless/runtime/api.h"

namespace compass::hip {
namespace {

// hipMemoryType from HIP 6 on.
constexpr int kTypeHost = 1;
constexpr int kTypeDevice = 2;
constexpr int kTypeManaged = 3;

class PointerProgram : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(hipMalloc(&device_, 64), kSuccess);
    ASSERT_EQ(hipHostMalloc(&pinned_, 64, 0x2), kSuccess);
    ASSERT_EQ(hipMallocManaged(&managed_, 64, kMemAttachGlobal), kSuccess);
  }
  void TearDown() override {
    EXPECT_EQ(hipFree(managed_), kSuccess);
    EXPECT_EQ(hipHostFree(pinned_), kSuccess);
    EXPECT_EQ(hipFree(device_), kSuccess);
  }

  static PointerAttributes attributes_of(const void* pointer) {
    PointerAttributes attributes{};
    EXPECT_EQ(hipPointerGetAttributes(&attributes, pointer), kSuccess);
    return attributes;
  }
  void* inside(void* start) { return static_cast<char*>(start) + 8; }

  void* device_ = nullptr;
  void* pinned_ = nullptr;
  void* managed_ = nullptr;
};

TEST_F(PointerProgram, AsksForAllAttributes) {
  const PointerAttributes device = attributes_of(inside(device_));
  EXPECT_EQ(device.memory_type, kTypeDevice);
  EXPECT_EQ(device.device_ordinal, 0);
  EXPECT_EQ(device.device_pointer, inside(device_));
  EXPECT_EQ(device.host_pointer, nullptr);
  EXPECT_EQ(device.is_managed, 0);
  const PointerAttributes pinned = attributes_of(inside(pinned_));
  EXPECT_EQ(pinned.memory_type, kTypeHost);
  EXPECT_EQ(pinned.host_pointer, inside(pinned_));
  EXPECT_EQ(pinned.device_pointer, inside(pinned_));
  EXPECT_EQ(pinned.flags, 0x2u);
  const PointerAttributes managed = attributes_of(managed_);
  EXPECT_EQ(managed.memory_type, kTypeManaged);
  EXPECT_EQ(managed.is_managed, 1);
  EXPECT_EQ(managed.host_pointer, managed_);
  const PointerAttributes pageable = attributes_of(&device);
  EXPECT_EQ(pageable.memory_type, 0);
  EXPECT_EQ(pageable.device_ordinal, kInvalidDeviceId);
  EXPECT_EQ(pageable.device_pointer, nullptr);
  EXPECT_EQ(attributes_of(nullptr).memory_type, 0);
  EXPECT_EQ(hipPointerGetAttributes(nullptr, device_), kErrorInvalidValue);
}

TEST_F(PointerProgram, AsksForOneAttribute) {
  void* start = nullptr;
  std::size_t size_bytes = 0;
  int number = 0;
  bool is_managed = false;
  EXPECT_EQ(hipPointerGetAttribute(&start, kPointerRangeStart, inside(device_)), kSuccess);
  EXPECT_EQ(start, device_);
  EXPECT_EQ(hipPointerGetAttribute(&size_bytes, kPointerRangeSize, inside(device_)), kSuccess);
  EXPECT_EQ(size_bytes, 64u);
  EXPECT_EQ(hipPointerGetAttribute(&number, kPointerMemoryType, pinned_), kSuccess);
  EXPECT_EQ(number, kTypeHost);
  EXPECT_EQ(hipPointerGetAttribute(&is_managed, kPointerIsManaged, managed_), kSuccess);
  EXPECT_TRUE(is_managed);
  EXPECT_EQ(hipPointerGetAttribute(&number, kPointerIsIpcCapable, pinned_), kSuccess);
  EXPECT_EQ(number, 0);
  EXPECT_EQ(hipPointerGetAttribute(&start, kPointerHostPointer, device_), kErrorInvalidValue);
  EXPECT_EQ(start, nullptr);
  EXPECT_EQ(hipPointerGetAttribute(&number, kPointerDeviceOrdinal, &number), kErrorInvalidValue);
  EXPECT_EQ(number, kInvalidDeviceId);
  EXPECT_EQ(hipPointerGetAttribute(&number, static_cast<PointerAttribute>(99), device_),
            kErrorInvalidValue);
  EXPECT_EQ(hipPointerGetAttribute(nullptr, kPointerMapped, device_), kErrorInvalidValue);
  std::uint32_t first = 0;
  std::uint32_t second = 0;
  EXPECT_EQ(hipPointerGetAttribute(&first, kPointerBufferId, device_), kSuccess);
  EXPECT_EQ(hipPointerGetAttribute(&second, kPointerBufferId, pinned_), kSuccess);
  EXPECT_NE(first, second);
}

TEST_F(PointerProgram, AsksForSeveralAttributes) {
  PointerAttribute attributes[] = {kPointerDeviceOrdinal, kPointerRangeSize};
  int ordinal = 5;
  std::size_t size_bytes = 0;
  void* values[] = {&ordinal, &size_bytes};
  EXPECT_EQ(hipDrvPointerGetAttributes(2, attributes, values, device_), kSuccess);
  EXPECT_EQ(ordinal, 0);
  EXPECT_EQ(size_bytes, 64u);
  EXPECT_EQ(hipDrvPointerGetAttributes(2, attributes, values, &ordinal), kSuccess);
  EXPECT_EQ(ordinal, kInvalidDeviceId);
  EXPECT_EQ(hipDrvPointerGetAttributes(0, attributes, values, device_), kErrorInvalidValue);
}

TEST_F(PointerProgram, SetsThatOperationsSynchronize) {
  unsigned on = 1;
  bool found = false;
  EXPECT_EQ(hipPointerSetAttribute(&on, kPointerSyncMemops, device_), kSuccess);
  EXPECT_EQ(hipPointerGetAttribute(&found, kPointerSyncMemops, device_), kSuccess);
  EXPECT_TRUE(found);
  on = 2;
  EXPECT_EQ(hipPointerSetAttribute(&on, kPointerSyncMemops, device_), kErrorInvalidValue);
  on = 0;
  EXPECT_EQ(hipPointerSetAttribute(&on, kPointerMapped, device_), kErrorInvalidValue);
  EXPECT_EQ(hipPointerSetAttribute(&on, kPointerSyncMemops, &on), kErrorInvalidDevicePointer);
}

TEST_F(PointerProgram, AsksForRanges) {
  void* base = nullptr;
  std::size_t size_bytes = 0;
  EXPECT_EQ(hipMemGetAddressRange(&base, &size_bytes, inside(device_)), kSuccess);
  EXPECT_EQ(base, device_);
  EXPECT_EQ(size_bytes, 64u);
  EXPECT_EQ(hipMemGetAddressRange(&base, &size_bytes, &base), kErrorNotFound);
  EXPECT_EQ(hipMemGetAddressRange(nullptr, &size_bytes, device_), kErrorInvalidValue);
  EXPECT_EQ(hipMemPtrGetInfo(inside(pinned_), &size_bytes), kSuccess);
  EXPECT_EQ(size_bytes, 64u);
  EXPECT_EQ(hipMemPtrGetInfo(nullptr, &size_bytes), kSuccess);
  EXPECT_EQ(size_bytes, 0u);
  EXPECT_EQ(hipMemPtrGetInfo(&base, &size_bytes), kErrorInvalidValue);
  EXPECT_EQ(hipFree(device_), kSuccess);
  EXPECT_EQ(hipMemGetAddressRange(&base, &size_bytes, device_), kErrorNotFound) << "freed";
  ASSERT_EQ(hipMalloc(&device_, 64), kSuccess);
}

}  // namespace
}  // namespace compass::hip
