// SPDX-License-Identifier: MIT

// A program that is linked against libamdhip64: what HIP's calls do when they are used rightly, and
// which error each wrong use gives.

#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <numeric>
#include <vector>

#include "driverless/runtime/api.h"
#include "driverless/runtime/two_kernels_program.h"

namespace compass::hip {
namespace {

// What the host code of a kernel is: only its address counts.
constexpr char kScale = 0;
constexpr char kReverse = 0;
constexpr char kOtherArchitecture = 0;
constexpr char kNotInCodeObject = 0;

class LinkedProgram : public testing::Test {
 protected:
  void SetUp() override {
    registration_.add(&kScale, "scale");
    registration_.add(&kReverse, "reverse");
    registration_.add(&kNotInCodeObject, "absent");
    EXPECT_NE(take_device_words(), nullptr);
    static_cast<void>(hipGetLastError());
  }
  void TearDown() override { EXPECT_EQ(hipFree(words_), kSuccess); }

  void* take_device_words() {
    EXPECT_EQ(hipMalloc(&words_, sizeof host_), kSuccess);
    std::iota(host_.begin(), host_.end(), 0u);
    EXPECT_EQ(hipMemcpy(words_, host_.data(), sizeof host_, kMemcpyHostToDevice), kSuccess);
    return words_;
  }

  Error launch_scale(Dim3 grid, Dim3 workgroup, std::size_t dynamic_lds_bytes = 0,
                     Stream stream = nullptr) {
    void* arguments[] = {&words_, &shift_, &count_};
    return hipLaunchKernel(&kScale, grid, workgroup, arguments, dynamic_lds_bytes, stream);
  }

  Registration registration_{two_kernels()};
  std::array<std::uint32_t, 128> host_{};
  void* words_ = nullptr;
  std::uint8_t shift_ = 3;
  std::uint32_t count_ = 100;
};

TEST_F(LinkedProgram, RunsAKernel) {
  ASSERT_EQ(launch_scale({2, 1, 1}, {64, 1, 1}), kSuccess);
  ASSERT_EQ(hipDeviceSynchronize(), kSuccess);
  ASSERT_EQ(hipMemcpy(host_.data(), words_, sizeof host_, kMemcpyDeviceToHost), kSuccess);
  EXPECT_EQ(host_[0], 0u);
  EXPECT_EQ(host_[99], 99u << 3);
  EXPECT_EQ(host_[100], 100u) << "beyond the count";
}

TEST_F(LinkedProgram, RunsAKernelWithLds) {
  void* reversed = nullptr;
  ASSERT_EQ(hipMalloc(&reversed, 256), kSuccess);
  void* arguments[] = {&reversed, &words_};
  ASSERT_EQ(hipLaunchKernel(&kReverse, {1, 1, 1}, {64, 1, 1}, arguments, 0, nullptr), kSuccess);
  ASSERT_EQ(hipMemcpyDtoH(host_.data(), reversed, 256), kSuccess);
  EXPECT_EQ(host_[0], 63u);
  EXPECT_EQ(host_[63], 0u);
  EXPECT_EQ(hipFree(reversed), kSuccess);
}

TEST_F(LinkedProgram, RefusesWrongLaunches) {
  constexpr char kUnknown = 0;
  EXPECT_EQ(hipLaunchKernel(&kUnknown, {}, {}, nullptr, 0, nullptr), kErrorInvalidDeviceFunction);
  EXPECT_EQ(hipGetLastError(), kErrorInvalidDeviceFunction);
  EXPECT_EQ(hipGetLastError(), kSuccess);
  EXPECT_EQ(hipLaunchKernel(nullptr, {}, {}, nullptr, 0, nullptr), kErrorInvalidDeviceFunction);
  EXPECT_EQ(hipLaunchKernel(&kNotInCodeObject, {}, {}, nullptr, 0, nullptr),
            kErrorInvalidDeviceFunction);
  EXPECT_EQ(hipLaunchKernel(&kScale, {}, {}, nullptr, 0, nullptr), kErrorInvalidValue);
  EXPECT_EQ(launch_scale({0, 1, 1}, {64, 1, 1}), kErrorInvalidConfiguration);
  EXPECT_EQ(launch_scale({1, 1, 1}, {64, 0, 1}), kErrorInvalidConfiguration);
  EXPECT_EQ(launch_scale({1, 1, 1}, {1025, 1, 1}), kErrorInvalidConfiguration);
  EXPECT_EQ(launch_scale({1, 1, 1}, {64, 64, 1}), kErrorInvalidConfiguration);
  EXPECT_EQ(launch_scale({~0u, 1, 1}, {64, 1, 1}), kErrorInvalidConfiguration);
  EXPECT_EQ(launch_scale({1, 1, 1}, {64, 1, 1}, 163841), kErrorInvalidConfiguration);
  EXPECT_EQ(launch_scale({1, 1, 1}, {64, 1, 1}, 0, reinterpret_cast<Stream>(&count_)),
            kErrorInvalidHandle);
}

TEST_F(LinkedProgram, RefusesCodeForOtherArchitectures) {
  Registration other(two_kernels_gfx942());
  other.add(&kOtherArchitecture, "scale");
  void* arguments[] = {&words_, &shift_, &count_};
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(hipLaunchKernel(&kOtherArchitecture, {}, {}, arguments, 0, nullptr),
              kErrorNoBinaryForGpu);
  }
}

TEST_F(LinkedProgram, RefusesBytesThatAreNoFatBinary) {
  constexpr char kBroken = 0;
  Registration broken(Bytes(128, std::byte{0x7f}));
  broken.add(&kBroken, "scale");
  EXPECT_EQ(hipLaunchKernel(&kBroken, {}, {}, nullptr, 0, nullptr), kErrorInvalidImage);
  EXPECT_EQ(__hipRegisterFatBinary(nullptr), nullptr);
  const FatBinaryWrapper wrong{1, 1, &kBroken, nullptr};
  EXPECT_EQ(__hipRegisterFatBinary(&wrong), nullptr);
  __hipUnregisterFatBinary(nullptr);
}

TEST_F(LinkedProgram, TakesCallConfigurationsBack) {
  Dim3 grid;
  Dim3 workgroup;
  std::size_t dynamic_lds_bytes = 0;
  Stream stream = nullptr;
  EXPECT_EQ(__hipPushCallConfiguration({1, 2, 3}, {4, 5, 6}, 7, stream), kSuccess);
  EXPECT_EQ(__hipPopCallConfiguration(&grid, &workgroup, &dynamic_lds_bytes, &stream), kSuccess);
  EXPECT_EQ(grid.z, 3u);
  EXPECT_EQ(workgroup.x, 4u);
  EXPECT_EQ(dynamic_lds_bytes, 7u);
  EXPECT_EQ(__hipPopCallConfiguration(&grid, &workgroup, &dynamic_lds_bytes, &stream),
            kErrorMissingConfiguration);
}

TEST_F(LinkedProgram, ChecksStreams) {
  Stream stream = nullptr;
  ASSERT_EQ(hipStreamCreateWithFlags(&stream, kStreamNonBlocking), kSuccess);
  EXPECT_EQ(launch_scale({1, 1, 1}, {64, 1, 1}, 0, stream), kSuccess);
  EXPECT_EQ(hipMemcpyAsync(host_.data(), words_, 4, kMemcpyDeviceToHost, stream), kSuccess);
  EXPECT_EQ(hipStreamQuery(stream), kSuccess);
  EXPECT_EQ(hipStreamSynchronize(stream), kSuccess);
  EXPECT_EQ(hipStreamSynchronize(nullptr), kSuccess) << "the default stream";
  EXPECT_EQ(hipStreamDestroy(stream), kSuccess);
  EXPECT_EQ(hipStreamDestroy(stream), kErrorInvalidHandle);
  EXPECT_EQ(hipStreamSynchronize(stream), kErrorInvalidHandle);
  EXPECT_EQ(hipMemsetAsync(words_, 0, 4, stream), kErrorInvalidHandle);
  EXPECT_EQ(hipStreamDestroy(nullptr), kErrorInvalidHandle);
  EXPECT_EQ(hipStreamCreate(nullptr), kErrorInvalidValue);
  EXPECT_EQ(hipStreamCreateWithFlags(&stream, 77), kErrorInvalidValue);
}

TEST_F(LinkedProgram, ChecksEvents) {
  Event event = nullptr;
  ASSERT_EQ(hipEventCreateWithFlags(&event, kEventDisableTiming), kSuccess);
  EXPECT_EQ(hipEventQuery(event), kSuccess) << "never recorded";
  EXPECT_EQ(hipEventRecord(event, nullptr), kSuccess);
  EXPECT_EQ(hipEventSynchronize(event), kSuccess);
  EXPECT_EQ(hipStreamWaitEvent(nullptr, event, 0), kSuccess);
  EXPECT_EQ(hipStreamWaitEvent(nullptr, event, 9), kErrorInvalidValue);
  EXPECT_EQ(hipEventRecord(event, reinterpret_cast<Stream>(&event)), kErrorInvalidHandle);
  EXPECT_EQ(hipEventDestroy(event), kSuccess);
  EXPECT_EQ(hipEventDestroy(event), kErrorInvalidHandle);
  EXPECT_EQ(hipEventQuery(event), kErrorInvalidHandle);
  EXPECT_EQ(hipEventRecord(nullptr, nullptr), kErrorInvalidHandle);
  EXPECT_EQ(hipStreamWaitEvent(nullptr, event, 0), kErrorInvalidHandle);
  EXPECT_EQ(hipEventCreate(nullptr), kErrorInvalidValue);
  EXPECT_EQ(hipEventCreateWithFlags(&event, 0x100), kErrorInvalidValue);
}

TEST_F(LinkedProgram, ChecksMemory) {
  std::size_t free_bytes = 0;
  std::size_t total_bytes = 0;
  ASSERT_EQ(hipMemGetInfo(&free_bytes, &total_bytes), kSuccess);
  EXPECT_EQ(total_bytes, std::size_t{288} << 30);
  EXPECT_EQ(free_bytes, total_bytes - sizeof host_);
  void* pointer = nullptr;
  EXPECT_EQ(hipMalloc(&pointer, total_bytes), kErrorOutOfMemory);
  EXPECT_EQ(hipFree(&pointer), kErrorInvalidValue);
  EXPECT_EQ(hipMalloc(nullptr, 4), kErrorInvalidValue);
  EXPECT_EQ(hipHostMalloc(&pointer, 64, 0), kSuccess);
  EXPECT_EQ(hipFree(pointer), kErrorInvalidValue);
  EXPECT_EQ(hipHostFree(pointer), kSuccess);
  EXPECT_EQ(hipHostFree(pointer), kErrorInvalidValue);
  EXPECT_EQ(hipHostMalloc(&pointer, 64, 0x8), kErrorInvalidValue);
  EXPECT_EQ(hipMemcpy(words_, host_.data(), sizeof host_ + 1, kMemcpyHostToDevice),
            kErrorInvalidValue);
  EXPECT_EQ(hipMemset(words_, 0, sizeof host_ + 1), kErrorInvalidValue);
  EXPECT_EQ(hipMemsetD32(words_, 5, host_.size()), kSuccess);
  EXPECT_EQ(hipMemcpyDtoH(host_.data(), words_, sizeof host_), kSuccess);
  EXPECT_EQ(host_[127], 5u);
}

TEST_F(LinkedProgram, AnswersAboutTheDevice) {
  int value = 0;
  EXPECT_EQ(hipInit(0), kSuccess);
  EXPECT_EQ(hipGetDeviceCount(&value), kSuccess);
  EXPECT_EQ(value, 1);
  EXPECT_EQ(hipGetDeviceCount(nullptr), kErrorInvalidValue);
  EXPECT_EQ(hipSetDevice(1), kErrorInvalidDevice);
  EXPECT_EQ(hipSetDevice(-1), kErrorInvalidDevice);
  EXPECT_EQ(hipRuntimeGetVersion(&value), kSuccess);
  EXPECT_EQ(value / 10'000'000, 7);
  DeviceProperties properties;
  ASSERT_EQ(hipGetDevicePropertiesR0600(&properties, 0), kSuccess);
  EXPECT_STREQ(properties.gcn_arch_name, "gfx950:sramecc+:xnack-");
  EXPECT_EQ(hipGetDevicePropertiesR0600(&properties, 2), kErrorInvalidDevice);
  EXPECT_EQ(hipDeviceGetAttribute(&value, 87, 0), kSuccess);
  EXPECT_EQ(value, 64);
  EXPECT_EQ(hipDeviceGetAttribute(&value, 7777, 0), kErrorInvalidValue);
  std::array<char, 4> name{};
  EXPECT_EQ(hipDeviceGetName(name.data(), name.size(), 0), kSuccess);
  EXPECT_STREQ(name.data(), "AMD");
  EXPECT_STREQ(hipGetErrorName(kErrorOutOfMemory), "hipErrorOutOfMemory");
  EXPECT_STREQ(hipGetErrorString(static_cast<Error>(12345)), "unknown error");
}

}  // namespace
}  // namespace compass::hip
