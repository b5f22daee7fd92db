// SPDX-License-Identifier: MIT

// A program that allocates and frees in stream order. It is right whenever asynchronous work runs.

#include <gtest/gtest.h>

#include <array>

#include "driverless/runtime/api.h"

namespace compass::hip {
namespace {

constexpr std::size_t kBytes = std::size_t{1} << 20;

class StreamOrdered : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(hipStreamCreate(&stream_), kSuccess);
    ASSERT_EQ(hipDeviceGetDefaultMemPool(&pool_, 0), kSuccess);
    ASSERT_EQ(hipDeviceSynchronize(), kSuccess);
    reset(kMemPoolReservedHigh);
    reset(kMemPoolUsedHigh);
    free_bytes_ = free_bytes();
  }
  void TearDown() override {
    EXPECT_EQ(hipStreamSynchronize(stream_), kSuccess);
    EXPECT_EQ(free_bytes(), free_bytes_) << "everything is given back";
    EXPECT_EQ(hipStreamDestroy(stream_), kSuccess);
  }

  std::size_t free_bytes() const {
    std::size_t bytes = 0;
    EXPECT_EQ(hipMemGetInfo(&bytes, nullptr), kSuccess);
    return bytes;
  }
  std::uint64_t value_of(MemPoolAttribute attribute) const {
    std::uint64_t value = 0;
    EXPECT_EQ(hipMemPoolGetAttribute(pool_, attribute, &value), kSuccess);
    return value;
  }
  void reset(MemPoolAttribute attribute) const {
    std::uint64_t zero = 0;
    EXPECT_EQ(hipMemPoolSetAttribute(pool_, attribute, &zero), kSuccess);
  }
  void* allocate() const {
    void* pointer = nullptr;
    EXPECT_EQ(hipMallocAsync(&pointer, kBytes, stream_), kSuccess);
    return pointer;
  }

  Stream stream_ = nullptr;
  MemPool pool_ = nullptr;
  std::size_t free_bytes_ = 0;
};

TEST_F(StreamOrdered, MemoryLivesUntilTheStreamFreesIt) {
  unsigned char* host = nullptr;
  ASSERT_EQ(hipHostMalloc(reinterpret_cast<void**>(&host), 1, 0), kSuccess);
  void* const memory = allocate();
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(memory) % 256, 0u);
  EXPECT_EQ(free_bytes(), free_bytes_ - kBytes);
  EXPECT_EQ(hipMemsetAsync(memory, 5, kBytes, stream_), kSuccess);
  EXPECT_EQ(hipMemcpyAsync(host, memory, 1, kMemcpyDefault, stream_), kSuccess);
  EXPECT_EQ(hipFreeAsync(memory, stream_), kSuccess);
  EXPECT_EQ(hipMemsetAsync(memory, 5, kBytes, stream_), kErrorInvalidValue) << "after the free";
  EXPECT_EQ(hipFreeAsync(memory, stream_), kErrorInvalidValue) << "twice";
  EXPECT_EQ(hipFree(memory), kErrorInvalidValue) << "twice";
  EXPECT_EQ(hipStreamSynchronize(stream_), kSuccess);
  EXPECT_EQ(*host, 5);
  EXPECT_EQ(value_of(kMemPoolUsedCurrent), 0u);
  EXPECT_EQ(hipHostFree(host), kSuccess);
}

TEST_F(StreamOrdered, PoolKeepsFreedMemoryUpToItsThreshold) {
  std::uint64_t threshold = kBytes;
  ASSERT_EQ(hipMemPoolSetAttribute(pool_, kMemPoolReleaseThreshold, &threshold), kSuccess);
  const std::array<void*, 2> memory{allocate(), allocate()};
  for (void* const pointer : memory) EXPECT_EQ(hipFreeAsync(pointer, stream_), kSuccess);
  EXPECT_EQ(hipStreamSynchronize(stream_), kSuccess);
  EXPECT_EQ(value_of(kMemPoolUsedCurrent), 0u);
  EXPECT_EQ(value_of(kMemPoolUsedHigh), 2 * kBytes);
  EXPECT_EQ(value_of(kMemPoolReservedCurrent), kBytes);
  EXPECT_EQ(value_of(kMemPoolReservedHigh), 2 * kBytes);
  EXPECT_EQ(free_bytes(), free_bytes_ - kBytes);
  void* large = nullptr;
  EXPECT_EQ(hipMalloc(&large, free_bytes_), kSuccess) << "what pools do not use makes room";
  EXPECT_EQ(value_of(kMemPoolReservedCurrent), 0u);
  void* more = this;
  EXPECT_EQ(hipMallocAsync(&more, 1, stream_), kErrorOutOfMemory);
  EXPECT_EQ(more, nullptr);
  EXPECT_EQ(hipFree(large), kSuccess);
  threshold = 0;
  ASSERT_EQ(hipMemPoolSetAttribute(pool_, kMemPoolReleaseThreshold, &threshold), kSuccess);
}

TEST_F(StreamOrdered, FreesThatAreDueMakeRoom) {
  void* memory = nullptr;
  ASSERT_EQ(hipMallocAsync(&memory, free_bytes_, stream_), kSuccess);
  EXPECT_EQ(hipFreeAsync(memory, stream_), kSuccess);
  EXPECT_EQ(hipMallocAsync(&memory, free_bytes_, stream_), kSuccess);
  EXPECT_EQ(hipFree(memory), kSuccess) << "waits for all work, then frees";
}

TEST_F(StreamOrdered, OnlyAllocationsAreFreed) {
  void* pinned = nullptr;
  int local = 0;
  void* const memory = allocate();
  ASSERT_EQ(hipHostMalloc(&pinned, 64, 0), kSuccess);
  EXPECT_EQ(hipFreeAsync(nullptr, stream_), kSuccess) << "from HIP 7 on";
  EXPECT_EQ(hipFreeAsync(&local, stream_), kErrorInvalidValue);
  EXPECT_EQ(hipFreeAsync(pinned, stream_), kErrorInvalidValue);
  EXPECT_EQ(hipFreeAsync(static_cast<char*>(memory) + 256, stream_), kErrorInvalidValue);
  EXPECT_EQ(hipFreeAsync(memory, reinterpret_cast<Stream>(&local)), kErrorInvalidHandle);
  EXPECT_EQ(hipHostFree(pinned), kSuccess);
  EXPECT_EQ(hipFree(memory), kSuccess);
}

TEST_F(StreamOrdered, AllocationsAreChecked) {
  void* memory = this;
  int local = 0;
  EXPECT_EQ(hipMallocAsync(nullptr, kBytes, stream_), kErrorInvalidValue);
  EXPECT_EQ(hipMallocAsync(&memory, kBytes, reinterpret_cast<Stream>(&local)), kErrorInvalidHandle);
  EXPECT_EQ(hipMallocAsync(&memory, ~std::size_t{0}, stream_), kErrorOutOfMemory);
  EXPECT_EQ(hipMallocAsync(&memory, 0, stream_), kSuccess);
  EXPECT_EQ(memory, nullptr);
  EXPECT_EQ(hipMallocFromPoolAsync(&memory, kBytes, nullptr, stream_), kErrorInvalidValue);
}

TEST_F(StreamOrdered, ProgramsMakePoolsOfTheirOwn) {
  MemPoolProps properties{};
  properties.allocation_type = kMemAllocationTypePinned;
  properties.location = {kMemLocationTypeDevice, 0};
  properties.max_size = 2 * kBytes;
  MemPool own = nullptr;
  ASSERT_EQ(hipMemPoolCreate(&own, &properties), kSuccess);
  ASSERT_EQ(hipDeviceSetMemPool(0, own), kSuccess);
  MemPool current = nullptr;
  EXPECT_EQ(hipDeviceGetMemPool(&current, 0), kSuccess);
  EXPECT_EQ(current, own);
  void* memory = allocate();
  EXPECT_EQ(value_of(kMemPoolUsedCurrent), 0u) << "of the default pool";
  void* more = nullptr;
  EXPECT_EQ(hipMallocFromPoolAsync(&more, kBytes + 1, own, stream_), kErrorOutOfMemory);
  EXPECT_EQ(hipMemPoolDestroy(own), kSuccess);
  EXPECT_EQ(hipMemPoolDestroy(own), kErrorInvalidValue) << "twice";
  EXPECT_EQ(hipMallocFromPoolAsync(&more, 1, own, stream_), kErrorInvalidValue);
  EXPECT_EQ(hipDeviceGetMemPool(&current, 0), kSuccess);
  EXPECT_EQ(current, pool_);
  EXPECT_EQ(hipMemsetAsync(memory, 1, kBytes, stream_), kSuccess) << "still live";
  EXPECT_EQ(hipFreeAsync(memory, stream_), kSuccess);
}

TEST_F(StreamOrdered, PoolsAreChecked) {
  MemPool pool = nullptr;
  MemPoolProps properties{};
  properties.location = {kMemLocationTypeDevice, 0};
  EXPECT_EQ(hipMemPoolCreate(&pool, &properties), kErrorInvalidValue) << "no type";
  properties.allocation_type = kMemAllocationTypePinned;
  properties.location.id = 99;
  EXPECT_EQ(hipMemPoolCreate(&pool, &properties), kErrorInvalidValue);
  properties.location.id = 0;
  properties.handle_types = 1;
  EXPECT_EQ(hipMemPoolCreate(&pool, &properties), kErrorNotSupported);
  EXPECT_EQ(hipMemPoolCreate(&pool, nullptr), kErrorInvalidValue);
  EXPECT_EQ(hipMemPoolDestroy(pool_), kErrorInvalidValue) << "the default pool";
  EXPECT_EQ(hipMemPoolTrimTo(nullptr, 0), kErrorInvalidValue);
  EXPECT_EQ(hipDeviceGetDefaultMemPool(&pool, 99), kErrorInvalidDevice);
  EXPECT_EQ(hipDeviceSetMemPool(99, pool_), kErrorInvalidDevice);
  MemLocation location{kMemLocationTypeDevice, 0};
  MemAccessFlags flags = kMemAccessNone;
  EXPECT_EQ(hipMemPoolGetAccess(&flags, pool_, &location), kSuccess);
  EXPECT_EQ(flags, kMemAccessReadWrite);
  const MemAccessDesc none{location, kMemAccessNone};
  EXPECT_EQ(hipMemPoolSetAccess(pool_, &none, 1), kErrorInvalidValue) << "its own device";
}

}  // namespace
}  // namespace compass::hip
