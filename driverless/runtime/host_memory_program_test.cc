// SPDX-License-Identifier: MIT

// A program that shares host memory with the device: pinned, registered, managed.

#include <gtest/gtest.h>

#include <array>
#include <vector>

#include "driverless/runtime/api.h"

namespace compass::hip {
namespace {

TEST(PinnedMemory, EachCallAllocatesIt) {
  constexpr unsigned kCoherent = 0x4000'0000;
  constexpr unsigned kNonCoherent = 0x8000'0000;
  constexpr unsigned kUncached = 0x1000'0000;
  void* pointer = nullptr;
  for (const auto allocate : {hipMallocHost, hipMemAllocHost}) {
    EXPECT_EQ(allocate(&pointer, 64), kSuccess);
    EXPECT_EQ(hipFreeHost(pointer), kSuccess);
    EXPECT_EQ(allocate(nullptr, 64), kErrorInvalidValue);
  }
  EXPECT_EQ(hipHostMalloc(&pointer, 64, kCoherent), kSuccess);
  unsigned flags = 0;
  EXPECT_EQ(hipHostGetFlags(&flags, static_cast<char*>(pointer) + 63), kSuccess);
  EXPECT_EQ(flags, kCoherent);
  EXPECT_EQ(hipHostFree(pointer), kSuccess);
  EXPECT_EQ(hipHostGetFlags(&flags, pointer), kErrorInvalidValue) << "freed";
  EXPECT_EQ(hipHostMalloc(&pointer, 64, kCoherent | kNonCoherent), kErrorInvalidValue);
  EXPECT_EQ(hipHostMalloc(&pointer, 64, kUncached | kCoherent), kErrorInvalidValue);
  EXPECT_EQ(hipHostAlloc(&pointer, 64, kCoherent), kErrorInvalidValue) << "not a flag of its own";
  EXPECT_EQ(hipHostAlloc(&pointer, 64, kUncached), kSuccess);
  EXPECT_EQ(hipHostFree(pointer), kSuccess);
  EXPECT_EQ(hipHostMalloc(&pointer, 0, 0), kSuccess);
  EXPECT_EQ(pointer, nullptr);
  EXPECT_EQ(hipHostFree(nullptr), kSuccess);
}

TEST(PinnedMemory, HasADevicePointer) {
  void* host = nullptr;
  void* device = nullptr;
  ASSERT_EQ(hipHostMalloc(&host, 64, 0), kSuccess);
  void* const inside = static_cast<char*>(host) + 8;
  EXPECT_EQ(hipHostGetDevicePointer(&device, inside, 0), kSuccess);
  EXPECT_EQ(device, inside);
  EXPECT_EQ(hipHostGetDevicePointer(&device, inside, 1), kErrorInvalidValue);
  EXPECT_EQ(hipHostGetDevicePointer(nullptr, inside, 0), kErrorInvalidValue);
  EXPECT_EQ(hipHostGetDevicePointer(&device, &host, 0), kErrorInvalidValue) << "pageable";
  EXPECT_EQ(hipHostFree(host), kSuccess);
  ASSERT_EQ(hipMalloc(&device, 64), kSuccess);
  EXPECT_EQ(hipHostGetDevicePointer(&host, device, 0), kErrorInvalidValue) << "device memory";
  EXPECT_EQ(hipHostFree(device), kErrorInvalidValue);
  EXPECT_EQ(hipFree(device), kSuccess);
}

TEST(RegisteredMemory, IsCopiedInStreamOrder) {
  std::vector<unsigned char> host(4096, 1);
  void* device = nullptr;
  Stream stream = nullptr;
  ASSERT_EQ(hipStreamCreate(&stream), kSuccess);
  ASSERT_EQ(hipMalloc(&device, host.size()), kSuccess);
  ASSERT_EQ(hipHostRegister(host.data(), host.size(), 0), kSuccess);
  EXPECT_EQ(hipMemsetAsync(device, 7, host.size(), stream), kSuccess);
  EXPECT_EQ(hipMemcpyAsync(host.data(), device, host.size(), kMemcpyDeviceToHost, stream),
            kSuccess);
  EXPECT_EQ(hipMemsetAsync(host.data(), 9, 1, stream), kSuccess) << "the device addresses it";
  EXPECT_EQ(hipStreamSynchronize(stream), kSuccess);
  EXPECT_EQ(host[0], 9);
  EXPECT_EQ(host[4095], 7);
  EXPECT_EQ(hipHostUnregister(host.data()), kSuccess);
  EXPECT_EQ(hipMemset(host.data(), 0, 1), kErrorInvalidValue) << "pageable again";
  EXPECT_EQ(host[4095], 7);
  EXPECT_EQ(hipFree(device), kSuccess);
  EXPECT_EQ(hipStreamDestroy(stream), kSuccess);
}

TEST(RegisteredMemory, IsChecked) {
  std::vector<unsigned char> host(4096);
  void* pinned = nullptr;
  ASSERT_EQ(hipHostMalloc(&pinned, 64, 0), kSuccess);
  EXPECT_EQ(hipHostRegister(nullptr, 64, 0), kErrorInvalidValue);
  EXPECT_EQ(hipHostRegister(host.data(), 0, 0), kErrorInvalidValue);
  EXPECT_EQ(hipHostRegister(host.data(), 64, 0x100), kErrorInvalidValue) << "no such flag";
  EXPECT_EQ(hipHostRegister(reinterpret_cast<void*>(4096), 64, 0), kErrorInvalidValue)
      << "nothing is mapped there";
  EXPECT_EQ(hipHostRegister(host.data(), ~std::size_t{0}, 0), kErrorInvalidValue);
  EXPECT_EQ(hipHostRegister(pinned, 64, 0), kErrorHostMemoryAlreadyRegistered);
  ASSERT_EQ(hipHostRegister(host.data(), 1024, 0x1), kSuccess);
  unsigned flags = 0;
  EXPECT_EQ(hipHostGetFlags(&flags, host.data()), kSuccess);
  EXPECT_EQ(flags, 0x1u);
  EXPECT_EQ(hipHostRegister(host.data() + 512, 1024, 0), kErrorHostMemoryAlreadyRegistered);
  EXPECT_EQ(hipHostFree(host.data()), kErrorInvalidValue) << "not the runtime's";
  EXPECT_EQ(hipFree(host.data()), kErrorInvalidValue);
  EXPECT_EQ(hipHostUnregister(host.data() + 1), kErrorHostMemoryNotRegistered);
  EXPECT_EQ(hipHostUnregister(pinned), kErrorHostMemoryNotRegistered);
  EXPECT_EQ(hipHostUnregister(nullptr), kErrorInvalidValue);
  EXPECT_EQ(hipHostUnregister(host.data()), kSuccess);
  EXPECT_EQ(hipHostUnregister(host.data()), kErrorHostMemoryNotRegistered);
  EXPECT_EQ(hipHostFree(pinned), kSuccess);
}

TEST(ManagedMemory, IsTheHostsAndTheDevices) {
  void* memory = nullptr;
  ASSERT_EQ(hipMallocManaged(&memory, 64, kMemAttachGlobal), kSuccess);
  auto* const bytes = static_cast<unsigned char*>(memory);
  bytes[0] = 3;
  EXPECT_EQ(hipMemset(bytes + 1, 4, 63), kSuccess);
  EXPECT_EQ(bytes[0], 3);
  EXPECT_EQ(bytes[63], 4);
  EXPECT_EQ(hipHostFree(memory), kErrorInvalidValue);
  EXPECT_EQ(hipFree(memory), kSuccess);
  EXPECT_EQ(hipFree(memory), kErrorInvalidValue);
  EXPECT_EQ(hipMallocManaged(&memory, 64, kMemAttachSingle), kErrorInvalidValue);
  EXPECT_EQ(hipMallocManaged(&memory, 0, kMemAttachGlobal), kErrorInvalidValue);
  EXPECT_EQ(hipMallocManaged(nullptr, 64, kMemAttachGlobal), kErrorInvalidValue);
}

TEST(DeviceMemory, IsAllocatedWithFlags) {
  void* memory = nullptr;
  for (const unsigned flags : {0u, 1u, 3u, 4u}) {
    EXPECT_EQ(hipExtMallocWithFlags(&memory, 64, flags), kSuccess);
    EXPECT_EQ(hipFree(memory), kSuccess);
  }
  EXPECT_EQ(hipExtMallocWithFlags(&memory, 64, 2), kErrorInvalidValue) << "a signal is 8 bytes";
  EXPECT_EQ(hipExtMallocWithFlags(&memory, 64, 5), kErrorInvalidValue);
  EXPECT_EQ(hipExtMallocWithFlags(&memory, 8, 2), kSuccess);
  EXPECT_EQ(hipFree(memory), kSuccess);
}

TEST(PitchedMemory, HasRowsAtItsPitch) {
  void* memory = nullptr;
  std::size_t pitch = 0;
  ASSERT_EQ(hipMallocPitch(&memory, &pitch, 100, 3), kSuccess);
  EXPECT_GE(pitch, 100u);
  EXPECT_EQ(pitch % 128, 0u);
  EXPECT_EQ(hipMemset(memory, 1, pitch * 3), kSuccess);
  EXPECT_EQ(hipMemset(memory, 1, pitch * 3 + 1), kErrorInvalidValue);
  EXPECT_EQ(hipFree(memory), kSuccess);
  EXPECT_EQ(hipMallocPitch(&memory, &pitch, 100, 0), kSuccess);
  EXPECT_EQ(memory, nullptr);
  EXPECT_EQ(hipMallocPitch(&memory, &pitch, ~std::size_t{0}, 1), kErrorInvalidValue);
  EXPECT_EQ(hipMallocPitch(&memory, &pitch, std::size_t{1} << 40, 1 << 30), kErrorOutOfMemory);
  EXPECT_EQ(hipMallocPitch(&memory, nullptr, 100, 1), kErrorInvalidValue);
  EXPECT_EQ(hipMemAllocPitch(&memory, &pitch, 100, 1, 3), kErrorInvalidValue);
  PitchedPtr cube{};
  ASSERT_EQ(hipMalloc3D(&cube, {100, 3, 2}), kSuccess);
  EXPECT_EQ(cube.row_bytes, 100u);
  EXPECT_EQ(cube.rows, 3u);
  EXPECT_EQ(hipMemset(cube.pointer, 1, cube.pitch_bytes * 6), kSuccess);
  EXPECT_EQ(hipFree(cube.pointer), kSuccess);
  EXPECT_EQ(hipMalloc3D(nullptr, {}), kErrorInvalidValue);
}

}  // namespace
}  // namespace compass::hip
