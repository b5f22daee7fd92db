// SPDX-License-Identifier: MIT

// A program that copies and fills rows and slices. It is right whenever asynchronous work runs.

#include <gtest/gtest.h>

#include <array>
#include <numeric>
#include <thread>

#include "driverless/runtime/api.h"

namespace compass::hip {
namespace {

constexpr std::size_t kRowBytes = 6;
constexpr std::size_t kPitch = 8;
constexpr std::size_t kRows = 3;
constexpr std::size_t kSlices = 2;
constexpr std::size_t kBytes = kPitch * kRows * kSlices;
// hipMemoryType from HIP 6 on.
constexpr int kTypeHost = 1;
constexpr int kTypeDevice = 2;

using Cube = std::array<unsigned char, kBytes>;

class PitchedProgram : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(hipMalloc(&device_, kBytes), kSuccess);
    ASSERT_EQ(hipMemset(device_, 0xEE, kBytes), kSuccess);
    ASSERT_EQ(hipStreamCreate(&stream_), kSuccess);
    std::iota(host_.begin(), host_.end(), static_cast<unsigned char>(1));
  }
  void TearDown() override {
    EXPECT_EQ(hipStreamDestroy(stream_), kSuccess);
    EXPECT_EQ(hipFree(device_), kSuccess);
  }

  Cube device_bytes() {
    EXPECT_EQ(hipStreamSynchronize(stream_), kSuccess);
    Cube bytes{};
    EXPECT_EQ(hipMemcpy(bytes.data(), device_, kBytes, kMemcpyDeviceToHost), kSuccess);
    return bytes;
  }
  PitchedPtr pitched(void* pointer) { return {pointer, kPitch, kRowBytes, kRows}; }

  void* device_ = nullptr;
  Stream stream_ = nullptr;
  Cube host_{};
};

TEST_F(PitchedProgram, CopiesRows) {
  EXPECT_EQ(hipMemcpy2DAsync(device_, kPitch, host_.data(), 7, 5, 2, kMemcpyHostToDevice, stream_),
            kSuccess);
  const Cube found = device_bytes();
  EXPECT_EQ(found[0], 1);
  EXPECT_EQ(found[4], 5);
  EXPECT_EQ(found[5], 0xEE) << "beyond the row";
  EXPECT_EQ(found[kPitch], 8) << "the second row, from byte 7";
  EXPECT_EQ(found[2 * kPitch], 0xEE) << "the third";
  Cube back{};
  EXPECT_EQ(hipMemcpy2D(back.data(), 5, device_, kPitch, 5, 2, kMemcpyDeviceToHost), kSuccess);
  EXPECT_EQ(back[5], 8);
  EXPECT_EQ(hipMemcpy2D_spt(back.data(), 5, device_, kPitch, 1, 1, kMemcpyDeviceToHost), kSuccess);
}

TEST_F(PitchedProgram, CopiesOfRowsAreChecked) {
  EXPECT_EQ(hipMemcpy2D(device_, 4, host_.data(), kPitch, 5, 1, kMemcpyHostToDevice),
            kErrorInvalidPitchValue);
  EXPECT_EQ(hipMemcpy2D(device_, kPitch, host_.data(), 4, 5, 1, kMemcpyHostToDevice),
            kErrorInvalidPitchValue);
  EXPECT_EQ(hipMemcpy2D(device_, kPitch, host_.data(), kPitch, kPitch, 7, kMemcpyHostToDevice),
            kErrorInvalidValue)
      << "7 rows of 6";
  EXPECT_EQ(hipMemcpy2D(nullptr, kPitch, host_.data(), kPitch, 5, 1, kMemcpyHostToDevice),
            kErrorInvalidValue);
  EXPECT_EQ(hipMemcpy2D(device_, kPitch, host_.data(), kPitch, 5, 0, kMemcpyHostToDevice),
            kSuccess);
  EXPECT_EQ(hipMemcpy2D(device_, kPitch, host_.data(), kPitch, 5, 1, static_cast<MemcpyKind>(7)),
            kErrorInvalidMemcpyDirection);
}

TEST_F(PitchedProgram, CopiesABoxOfSlices) {
  Memcpy3DParms copy{};
  copy.from = pitched(host_.data());
  copy.from_position = {1, 1, 1};
  copy.to = pitched(device_);
  copy.extent = {2, 2, 1};
  copy.kind = kMemcpyHostToDevice;
  EXPECT_EQ(hipMemcpy3DAsync(&copy, stream_), kSuccess);
  const Cube found = device_bytes();
  const std::size_t first = kPitch * kRows + kPitch + 1;
  EXPECT_EQ(found[0], host_[first]);
  EXPECT_EQ(found[1], host_[first + 1]);
  EXPECT_EQ(found[2], 0xEE);
  EXPECT_EQ(found[kPitch], host_[first + kPitch]);
  EXPECT_EQ(found[kPitch * kRows], 0xEE) << "the second slice";
  copy.from_position.z = 2;
  EXPECT_EQ(hipMemcpy3D(&copy), kSuccess) << "the host's memory is not known";
  copy.to_position.z = 2;
  EXPECT_EQ(hipMemcpy3D(&copy), kErrorInvalidValue) << "the third of two slices";
  copy.to_position = {kPitch - 1, 0, 0};
  EXPECT_EQ(hipMemcpy3D(&copy), kErrorInvalidPitchValue);
  copy.to_position = {0, ~std::size_t{0}, 0};
  EXPECT_EQ(hipMemcpy3D(&copy), kErrorInvalidValue);
  copy.to_position = {};
  copy.to_array = reinterpret_cast<Array>(&copy);
  EXPECT_EQ(hipMemcpy3D(&copy), kErrorNotSupported) << "an array";
  EXPECT_EQ(hipMemcpy3D(nullptr), kErrorInvalidValue);
}

TEST_F(PitchedProgram, CopiesAsADriverDoes) {
  Memcpy2D rows{};
  rows.from.memory_type = kTypeHost;
  rows.from.host = host_.data();
  rows.from.x_bytes = 1;
  rows.to.memory_type = kTypeDevice;
  rows.to.device = device_;
  rows.to.pitch_bytes = kPitch;
  rows.to.y = 1;
  rows.width_bytes = 3;
  rows.height = 2;
  EXPECT_EQ(hipMemcpyParam2DAsync(&rows, stream_), kSuccess);
  Cube found = device_bytes();
  EXPECT_EQ(found[0], 0xEE);
  EXPECT_EQ(found[kPitch], 2);
  EXPECT_EQ(found[2 * kPitch], 6) << "rows side by side are 1 + 3 bytes";
  rows.to.memory_type = 77;
  EXPECT_EQ(hipMemcpyParam2D(&rows), kErrorInvalidValue);
  EXPECT_EQ(hipDrvMemcpy2DUnaligned(nullptr), kErrorInvalidValue);

  DriverMemcpy3D cube{};
  cube.from.memory_type = kTypeDevice;
  cube.from.device = device_;
  cube.from.pitch_bytes = kPitch;
  cube.from.height = kRows;
  cube.to.memory_type = kTypeHost;
  cube.to.host = found.data();
  cube.to.pitch_bytes = kPitch;
  cube.to.height = kRows;
  cube.to.z = 1;
  cube.width_bytes = 3;
  cube.height = kRows;
  cube.depth = 1;
  EXPECT_EQ(hipDrvMemcpy3D(&cube), kSuccess);
  EXPECT_EQ(found[kPitch * kRows + kPitch], 2);
  cube.to.memory_type = kTypeDevice;
  EXPECT_EQ(hipDrvMemcpy3DAsync(&cube, stream_), kErrorInvalidValue) << "no device pointer";
}

TEST_F(PitchedProgram, CopiesBetweenDevicesAndInBatches) {
  void* other = nullptr;
  ASSERT_EQ(hipMalloc(&other, kBytes), kSuccess);
  EXPECT_EQ(hipMemcpyPeerAsync(other, 0, device_, 0, kBytes, stream_), kSuccess);
  EXPECT_EQ(hipMemcpyPeer(other, 0, device_, 99, kBytes), kErrorInvalidDevice);
  EXPECT_EQ(hipMemcpyPeer(other, 0, device_, 0, kBytes + 1), kErrorInvalidValue);
  Memcpy3DPeerParms peer{};
  peer.from = pitched(device_);
  peer.to = pitched(other);
  peer.extent = {kRowBytes, kRows, kSlices};
  EXPECT_EQ(hipMemcpy3DPeer(&peer), kSuccess);
  peer.to_device = -1;
  EXPECT_EQ(hipMemcpy3DPeerAsync(&peer, stream_), kErrorInvalidDevice);
  void* to[] = {device_, device_};
  void* from[] = {host_.data(), host_.data() + 5};
  std::size_t sizes[] = {2, kBytes + 1};
  std::size_t failed = 0;
  EXPECT_EQ(hipMemcpyBatchAsync(to, from, sizes, 2, nullptr, nullptr, 0, &failed, stream_),
            kErrorInvalidValue);
  EXPECT_EQ(failed, 1u);
  EXPECT_EQ(device_bytes()[1], 2) << "the first was given";
  EXPECT_EQ(hipFree(other), kSuccess);
}

TEST_F(PitchedProgram, FillsRowsAndSlices) {
  EXPECT_EQ(hipMemset2DAsync(device_, kPitch, 1, 3, 2, stream_), kSuccess);
  EXPECT_EQ(
      hipMemsetD2D16Async(static_cast<char*>(device_) + 2 * kPitch, kPitch, 0x1234, 3, 1, stream_),
      kSuccess);
  EXPECT_EQ(
      hipMemset3DAsync({static_cast<char*>(device_) + kPitch * kRows, kPitch, kRowBytes, kRows}, 9,
                       {2, 2, 1}, stream_),
      kSuccess);
  const Cube found = device_bytes();
  EXPECT_EQ(found[2], 1);
  EXPECT_EQ(found[3], 0xEE);
  EXPECT_EQ(found[kPitch], 1);
  EXPECT_EQ(found[2 * kPitch], 0x34);
  EXPECT_EQ(found[2 * kPitch + 5], 0x12);
  EXPECT_EQ(found[2 * kPitch + 6], 0xEE);
  EXPECT_EQ(found[kPitch * kRows + kPitch + 1], 9);
  EXPECT_EQ(found[kPitch * kRows + 2 * kPitch], 0xEE);
  EXPECT_EQ(hipMemsetD2D32(device_, kPitch, 5, 2, kRows), kSuccess);
  EXPECT_EQ(hipMemsetD2D32(device_, kPitch, 5, 3, kRows), kErrorInvalidValue) << "12 bytes of 8";
  EXPECT_EQ(hipMemsetD2D8(device_, 0, 5, 1, 1), kErrorInvalidValue) << "no pitch";
  EXPECT_EQ(hipMemset2D(device_, kPitch, 0, 1, 7), kErrorInvalidValue) << "7 rows of 6";
  EXPECT_EQ(hipMemset2D(device_, kPitch, 0, 0, 0), kSuccess);
  EXPECT_EQ(hipMemset3D({device_, kPitch, kRowBytes, kRows}, 0, {1, 1, 3}), kErrorInvalidValue);
}

TEST_F(PitchedProgram, ThreadsHaveDefaultStreamsOfTheirOwn) {
  EXPECT_EQ(hipMemsetAsync_spt(device_, 4, kBytes, nullptr), kSuccess);
  EXPECT_EQ(hipStreamSynchronize_spt(nullptr), kSuccess);
  EXPECT_EQ(device_bytes()[0], 4);
  EXPECT_EQ(hipMemset_spt(device_, 6, kBytes), kSuccess);
  std::thread other([&] {
    EXPECT_EQ(hipMemsetAsync_spt(device_, 5, 1, nullptr), kSuccess);
    EXPECT_EQ(hipStreamQuery_spt(reinterpret_cast<Stream>(&host_)), kErrorInvalidHandle);
    EXPECT_EQ(hipStreamSynchronize_spt(nullptr), kSuccess);
  });
  other.join();
  EXPECT_EQ(device_bytes()[0], 5);
  Event event = nullptr;
  ASSERT_EQ(hipEventCreate(&event), kSuccess);
  EXPECT_EQ(hipEventRecord_spt(event, nullptr), kSuccess);
  EXPECT_EQ(hipStreamWaitEvent_spt(nullptr, event, 0), kSuccess);
  EXPECT_EQ(hipEventDestroy(event), kSuccess);
}

}  // namespace
}  // namespace compass::hip
