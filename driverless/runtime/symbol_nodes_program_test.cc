// SPDX-License-Identifier: MIT

// Nodes that copy to and from variables of the device's code; modules in captures.

#include <gtest/gtest.h>

#include <array>

#include "driverless/runtime/two_kernels_program.h"

namespace compass::hip {
namespace {

constexpr char kBias = 0;
constexpr char kFactors = 0;

class SymbolNodes : public testing::Test {
 protected:
  SymbolNodes() {
    const FatBinaryWrapper wrapper{kFatBinaryMagic, 1, image_.data(), nullptr};
    handle_ = __hipRegisterFatBinary(&wrapper);
    register_variable(&kBias, "bias", 4);
    register_variable(&kFactors, "factors", 16);
    EXPECT_EQ(hipGraphCreate(&graph_, 0), kSuccess);
    EXPECT_EQ(hipStreamCreate(&stream_), kSuccess);
  }
  ~SymbolNodes() override {
    EXPECT_EQ(hipStreamDestroy(stream_), kSuccess);
    EXPECT_EQ(hipGraphDestroy(graph_), kSuccess);
    __hipUnregisterFatBinary(handle_);
  }

  void register_variable(const char* host, std::string name, std::size_t size_bytes) {
    __hipRegisterVar(handle_, const_cast<char*>(host), name.data(), name.data(), 0, size_bytes, 0,
                     0);
  }
  /// Nodes that set factors[1] to `value_` and then copy factors[1] and [2] to `to_`.
  std::array<GraphNode, 2> add_nodes() {
    std::array<GraphNode, 2> nodes{};
    EXPECT_EQ(hipGraphAddMemcpyNodeToSymbol(&nodes[0], graph_, nullptr, 0, &kFactors, &value_, 4, 4,
                                            kMemcpyHostToDevice),
              kSuccess);
    EXPECT_EQ(hipGraphAddMemcpyNodeFromSymbol(&nodes[1], graph_, nodes.data(), 1, to_.data(),
                                              &kFactors, 8, 4, kMemcpyDeviceToHost),
              kSuccess);
    return nodes;
  }
  void launch(GraphExec executable) {
    ASSERT_EQ(hipGraphLaunch(executable, stream_), kSuccess);
    ASSERT_EQ(hipStreamSynchronize(stream_), kSuccess);
  }

  const Bytes image_ = read_test_input("COMPASS_MODULES");
  void** handle_ = nullptr;
  Graph graph_ = nullptr;
  Stream stream_ = nullptr;
  std::uint32_t value_ = 50;
  std::array<std::uint32_t, 2> to_{};
};

TEST_F(SymbolNodes, CopyToAndFromVariables) {
  const auto nodes = add_nodes();
  GraphNodeType type{};
  EXPECT_EQ(hipGraphNodeGetType(nodes[0], &type), kSuccess);
  EXPECT_EQ(type, kGraphNodeMemcpy);
  GraphExec executable = nullptr;
  ASSERT_EQ(hipGraphInstantiate(&executable, graph_, nullptr, nullptr, 0), kSuccess);
  launch(executable);
  EXPECT_EQ(to_, (std::array<std::uint32_t, 2>{50, 3}));
  value_ = 60;
  launch(executable);
  EXPECT_EQ(to_[0], 60u);
  EXPECT_EQ(hipGraphExecDestroy(executable), kSuccess);
}

TEST_F(SymbolNodes, ChangeTheirParameters) {
  const auto nodes = add_nodes();
  GraphExec executable = nullptr;
  ASSERT_EQ(hipGraphInstantiate(&executable, graph_, nullptr, nullptr, 0), kSuccess);
  ASSERT_EQ(hipGraphExecMemcpyNodeSetParamsToSymbol(executable, nodes[0], &kBias, &value_, 4, 0,
                                                    kMemcpyHostToDevice),
            kSuccess);
  ASSERT_EQ(hipGraphExecMemcpyNodeSetParamsFromSymbol(executable, nodes[1], to_.data(), &kBias, 4,
                                                      0, kMemcpyDeviceToHost),
            kSuccess);
  EXPECT_EQ(hipGraphExecMemcpyNodeSetParamsFromSymbol(executable, nodes[1], to_.data(), &kBias, 4,
                                                      0, kMemcpyDefault),
            kErrorInvalidValue)
      << "another kind";
  launch(executable);
  EXPECT_EQ(to_[0], 50u);
  EXPECT_EQ(hipGraphExecDestroy(executable), kSuccess);
  EXPECT_EQ(
      hipGraphMemcpyNodeSetParamsToSymbol(nodes[0], &kFactors, &value_, 4, 8, kMemcpyHostToDevice),
      kSuccess);
  EXPECT_EQ(hipGraphMemcpyNodeSetParamsFromSymbol(nodes[1], to_.data(), &kFactors, 4, 8,
                                                  kMemcpyDeviceToHost),
            kSuccess);
  ASSERT_EQ(hipGraphInstantiate(&executable, graph_, nullptr, nullptr, 0), kSuccess);
  launch(executable);
  EXPECT_EQ(to_[0], 50u);
  EXPECT_EQ(hipGraphExecDestroy(executable), kSuccess);
}

TEST_F(SymbolNodes, RefuseWrongCopies) {
  GraphNode node = nullptr;
  const auto add_to = [&](const void* symbol, const void* from, std::size_t size_bytes,
                          std::size_t offset_bytes, MemcpyKind kind) {
    return hipGraphAddMemcpyNodeToSymbol(&node, graph_, nullptr, 0, symbol, from, size_bytes,
                                         offset_bytes, kind);
  };
  EXPECT_EQ(add_to(&node, &value_, 4, 0, kMemcpyHostToDevice), kErrorInvalidSymbol);
  EXPECT_EQ(add_to(nullptr, &value_, 4, 0, kMemcpyHostToDevice), kErrorInvalidSymbol);
  EXPECT_EQ(add_to(&kBias, nullptr, 4, 0, kMemcpyHostToDevice), kErrorInvalidValue);
  EXPECT_EQ(add_to(&kBias, &value_, 0, 0, kMemcpyHostToDevice), kErrorInvalidValue);
  EXPECT_EQ(add_to(&kBias, &value_, 4, 1, kMemcpyHostToDevice), kErrorInvalidValue);
  EXPECT_EQ(add_to(&kBias, &value_, 4, 0, kMemcpyDeviceToHost), kErrorInvalidMemcpyDirection);
  EXPECT_EQ(
      hipGraphMemcpyNodeSetParamsToSymbol(nullptr, &kBias, &value_, 4, 0, kMemcpyHostToDevice),
      kErrorInvalidValue);
}

TEST_F(SymbolNodes, AreCaptured) {
  Graph captured = nullptr;
  GraphExec executable = nullptr;
  ASSERT_EQ(hipStreamBeginCapture(stream_, kStreamCaptureModeGlobal), kSuccess);
  ASSERT_EQ(hipMemcpyToSymbolAsync(&kBias, &value_, 4, 0, kMemcpyHostToDevice, stream_), kSuccess);
  ASSERT_EQ(hipMemcpyFromSymbolAsync(to_.data(), &kBias, 4, 0, kMemcpyDeviceToHost, stream_),
            kSuccess);
  ASSERT_EQ(hipStreamEndCapture(stream_, &captured), kSuccess);
  EXPECT_EQ(to_[0], 0u);
  ASSERT_EQ(hipGraphInstantiate(&executable, captured, nullptr, nullptr, 0), kSuccess);
  launch(executable);
  EXPECT_EQ(to_[0], 50u);
  EXPECT_EQ(hipGraphExecDestroy(executable), kSuccess);
  EXPECT_EQ(hipGraphDestroy(captured), kSuccess);
}

TEST_F(SymbolNodes, KeepTheCodeOfModules) {
  Module module = nullptr;
  Function apply = nullptr;
  void* words = nullptr;
  Graph captured = nullptr;
  GraphExec executable = nullptr;
  ASSERT_EQ(hipMalloc(&words, 256), kSuccess);
  ASSERT_EQ(hipStreamBeginCapture(stream_, kStreamCaptureModeGlobal), kSuccess);
  ASSERT_EQ(hipModuleLoadData(&module, image_.data()), kSuccess) << "a capture allows that";
  ASSERT_EQ(hipModuleGetFunction(&apply, module, "apply"), kSuccess);
  void* values[] = {&words};
  ASSERT_EQ(hipModuleLaunchKernel(apply, 1, 1, 1, 64, 1, 1, 0, stream_, values, nullptr), kSuccess);
  ASSERT_EQ(hipMemcpyAsync(to_.data(), words, 8, kMemcpyDeviceToHost, stream_), kSuccess);
  ASSERT_EQ(hipStreamEndCapture(stream_, &captured), kSuccess);
  GraphNode node = nullptr;
  std::size_t count = 1;
  KernelNodeParams parameters{};
  ASSERT_EQ(hipGraphGetRootNodes(captured, &node, &count), kSuccess);
  ASSERT_EQ(hipGraphKernelNodeGetParams(node, &parameters), kSuccess);
  EXPECT_EQ(parameters.function, apply);
  EXPECT_EQ(hipGraphKernelNodeSetParams(node, &parameters), kSuccess);
  ASSERT_EQ(hipGraphInstantiate(&executable, captured, nullptr, nullptr, 0), kSuccess);
  EXPECT_EQ(hipGraphDestroy(captured), kSuccess);
  EXPECT_EQ(hipModuleUnload(module), kSuccess);
  launch(executable);
  EXPECT_EQ(to_, (std::array<std::uint32_t, 2>{100, 102}));
  EXPECT_EQ(hipGraphExecDestroy(executable), kSuccess);
  EXPECT_EQ(hipFree(words), kSuccess);
}

TEST_F(SymbolNodes, ForbidToUnloadWhileCaptured) {
  Module module = nullptr;
  Graph captured = nullptr;
  ASSERT_EQ(hipModuleLoadData(&module, image_.data()), kSuccess);
  ASSERT_EQ(hipStreamBeginCapture(stream_, kStreamCaptureModeGlobal), kSuccess);
  EXPECT_EQ(hipModuleUnload(module), kErrorStreamCaptureUnsupported);
  EXPECT_EQ(hipStreamEndCapture(stream_, &captured), kErrorStreamCaptureInvalidated);
  EXPECT_EQ(hipModuleUnload(module), kSuccess);
}

}  // namespace
}  // namespace compass::hip
