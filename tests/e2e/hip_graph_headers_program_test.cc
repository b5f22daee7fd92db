// SPDX-License-Identifier: MIT

// The same about graphs and stream capture: a program built with AMD's headers of HIP 5.2.

#include <gtest/gtest.h>
#include <hip/hip_runtime_api.h>

#include <cstddef>

#include "ir/hip/graph_abi.h"

namespace compass {
namespace {

static_assert(sizeof(hip::KernelNodeParams) == sizeof(hipKernelNodeParams));
static_assert(offsetof(hip::KernelNodeParams, extra) == offsetof(hipKernelNodeParams, extra));
static_assert(offsetof(hip::KernelNodeParams, function) == offsetof(hipKernelNodeParams, func));
static_assert(offsetof(hip::KernelNodeParams, grid_workgroups) ==
              offsetof(hipKernelNodeParams, gridDim));
static_assert(offsetof(hip::KernelNodeParams, arguments) ==
              offsetof(hipKernelNodeParams, kernelParams));
static_assert(offsetof(hip::KernelNodeParams, dynamic_lds_bytes) ==
              offsetof(hipKernelNodeParams, sharedMemBytes));

static_assert(sizeof(hip::MemsetParams) == sizeof(hipMemsetParams));
static_assert(offsetof(hip::MemsetParams, element_bytes) == offsetof(hipMemsetParams, elementSize));
static_assert(offsetof(hip::MemsetParams, height) == offsetof(hipMemsetParams, height));
static_assert(offsetof(hip::MemsetParams, pitch_bytes) == offsetof(hipMemsetParams, pitch));
static_assert(offsetof(hip::MemsetParams, value) == offsetof(hipMemsetParams, value));
static_assert(offsetof(hip::MemsetParams, width) == offsetof(hipMemsetParams, width));

static_assert(sizeof(hip::Memcpy3DParms) == sizeof(hipMemcpy3DParms));
static_assert(offsetof(hip::Memcpy3DParms, from) == offsetof(hipMemcpy3DParms, srcPtr));
static_assert(offsetof(hip::Memcpy3DParms, to_position) == offsetof(hipMemcpy3DParms, dstPos));
static_assert(offsetof(hip::Memcpy3DParms, to) == offsetof(hipMemcpy3DParms, dstPtr));
static_assert(offsetof(hip::Memcpy3DParms, extent) == offsetof(hipMemcpy3DParms, extent));
static_assert(offsetof(hip::Memcpy3DParms, kind) == offsetof(hipMemcpy3DParms, kind));
static_assert(sizeof(hip::HostNodeParams) == sizeof(hipHostNodeParams));
static_assert(sizeof(hip::MemPoolProps) == sizeof(hipMemPoolProps));

static_assert(int{hip::kStreamCaptureModeRelaxed} == int{hipStreamCaptureModeRelaxed});
static_assert(int{hip::kStreamCaptureStatusInvalidated} == int{hipStreamCaptureStatusInvalidated});
static_assert(unsigned{hip::kStreamSetCaptureDependencies} ==
              unsigned{hipStreamSetCaptureDependencies});
static_assert(int{hip::kGraphExecUpdateErrorUnsupportedFunctionChange} ==
              int{hipGraphExecUpdateErrorUnsupportedFunctionChange});
static_assert(int{hip::kErrorStreamCaptureUnjoined} == int{hipErrorStreamCaptureUnjoined});
static_assert(int{hip::kErrorGraphExecUpdateFailure} == int{hipErrorGraphExecUpdateFailure});

class GraphHeadersProgram : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(hipMalloc(&device_, sizeof words_), hipSuccess);
    ASSERT_EQ(hipStreamCreateWithFlags(&stream_, hipStreamNonBlocking), hipSuccess);
  }
  void TearDown() override {
    EXPECT_EQ(hipStreamDestroy(stream_), hipSuccess);
    EXPECT_EQ(hipFree(device_), hipSuccess);
  }
  /// Launches the graph, which ends with what was made of it before it has run.
  void launch_and_end(hipGraph_t graph) {
    hipGraphExec_t executable = nullptr;
    ASSERT_EQ(hipGraphInstantiate(&executable, graph, nullptr, nullptr, 0), hipSuccess);
    ASSERT_EQ(hipGraphLaunch(executable, stream_), hipSuccess);
    EXPECT_EQ(hipGraphExecDestroy(executable), hipSuccess);
    EXPECT_EQ(hipGraphDestroy(graph), hipSuccess);
    ASSERT_EQ(hipStreamSynchronize(stream_), hipSuccess);
  }

  unsigned words_[8] = {};
  unsigned* device_ = nullptr;
  hipStream_t stream_ = nullptr;
};

TEST_F(GraphHeadersProgram, Captures) {
  hipGraph_t graph = nullptr;
  ASSERT_EQ(hipStreamBeginCapture(stream_, hipStreamCaptureModeGlobal), hipSuccess);
  EXPECT_EQ(hipMemsetAsync(device_, 0x22, sizeof words_, stream_), hipSuccess);
  EXPECT_EQ(hipMemcpyAsync(words_, device_, sizeof words_, hipMemcpyDeviceToHost, stream_),
            hipSuccess);
  hipStreamCaptureStatus status{};
  EXPECT_EQ(hipStreamIsCapturing(stream_, &status), hipSuccess);
  EXPECT_EQ(status, hipStreamCaptureStatusActive);
  ASSERT_EQ(hipStreamEndCapture(stream_, &graph), hipSuccess);
  EXPECT_EQ(words_[0], 0u);
  launch_and_end(graph);
  EXPECT_EQ(words_[7], 0x22222222u);
}

TEST_F(GraphHeadersProgram, BuildsGraphs) {
  hipGraph_t graph = nullptr;
  hipGraphNode_t nodes[3] = {};
  ASSERT_EQ(hipGraphCreate(&graph, 0), hipSuccess);
  hipMemsetParams fill{};
  fill.dst = device_;
  fill.elementSize = 4;
  fill.width = 8;
  fill.height = 1;
  fill.value = 5;
  ASSERT_EQ(hipGraphAddMemsetNode(&nodes[0], graph, nullptr, 0, &fill), hipSuccess);
  hipMemcpy3DParms copy{};
  copy.srcPtr = {device_, 16, 16, 2};
  copy.srcPos = {4, 0, 0};
  copy.dstPtr = {words_, 8, 8, 2};
  copy.extent = {8, 2, 1};
  copy.kind = hipMemcpyDeviceToHost;
  ASSERT_EQ(hipGraphAddMemcpyNode(&nodes[1], graph, &nodes[0], 1, &copy), hipSuccess);
  hipHostNodeParams host{};
  host.fn = [](void* words) { static_cast<unsigned*>(words)[0] += 1; };
  host.userData = words_;
  ASSERT_EQ(hipGraphAddHostNode(&nodes[2], graph, &nodes[1], 1, &host), hipSuccess);
  launch_and_end(graph);
  EXPECT_EQ(words_[0], 6u);
  EXPECT_EQ(words_[3], 5u);
  EXPECT_EQ(words_[4], 0u);
}

}  // namespace
}  // namespace compass
