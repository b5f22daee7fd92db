// SPDX-License-Identifier: MIT

// Executable graphs that change.

#include <gtest/gtest.h>

#include <array>

#include "driverless/runtime/two_kernels_program.h"

namespace compass::hip {
namespace {

/// A graph that shifts `words_` and then copies them to `to_`, made executable.
class GraphUpdate : public TwoKernelsProgram {
 protected:
  GraphUpdate() {
    graph_ = make_graph(1);
    std::size_t count = nodes_.size();
    EXPECT_EQ(hipGraphGetNodes(graph_, nodes_.data(), &count), kSuccess);
    EXPECT_EQ(hipGraphInstantiate(&executable_, graph_, nullptr, nullptr, 0), kSuccess);
  }
  ~GraphUpdate() override {
    EXPECT_EQ(hipGraphExecDestroy(executable_), kSuccess);
    EXPECT_EQ(hipGraphDestroy(graph_), kSuccess);
  }

  Graph make_graph(std::uint8_t shift) {
    Graph graph = nullptr;
    EXPECT_EQ(hipStreamBeginCapture(side_, kStreamCaptureModeRelaxed), kSuccess);
    EXPECT_EQ(scale(side_, shift), kSuccess);
    EXPECT_EQ(hipMemcpyAsync(to_.data(), words_, sizeof to_, kMemcpyDeviceToHost, side_), kSuccess);
    EXPECT_EQ(hipStreamEndCapture(side_, &graph), kSuccess);
    return graph;
  }
  void launch() {
    ASSERT_EQ(hipGraphLaunch(executable_, stream_), kSuccess);
    ASSERT_EQ(hipStreamSynchronize(stream_), kSuccess);
  }
  /// Updates by `graph`, which ends.
  Error update(Graph graph) {
    const Error error = hipGraphExecUpdate(executable_, graph, &error_node_, &result_);
    EXPECT_EQ(hipGraphDestroy(graph), kSuccess);
    return error;
  }

  Words to_{};
  Graph graph_ = nullptr;
  GraphExec executable_ = nullptr;
  std::array<GraphNode, 2> nodes_{};
  GraphNode error_node_ = nullptr;
  GraphExecUpdateResult result_{};
};

TEST_F(GraphUpdate, TakesParametersOfAnotherGraph) {
  EXPECT_EQ(update(make_graph(4)), kSuccess);
  EXPECT_EQ(result_, kGraphExecUpdateSuccess);
  launch();
  EXPECT_EQ(to_[0], 16u);
}

TEST_F(GraphUpdate, LeavesWhatWasLaunched) {
  ASSERT_EQ(hipGraphLaunch(executable_, stream_), kSuccess);
  EXPECT_EQ(update(make_graph(4)), kSuccess);
  ASSERT_EQ(hipStreamSynchronize(stream_), kSuccess);
  EXPECT_EQ(to_[0], 2u);
}

TEST_F(GraphUpdate, RefusesAnotherTopology) {
  const Graph graph = make_graph(4);
  GraphNode more = nullptr;
  ASSERT_EQ(hipGraphAddEmptyNode(&more, graph, nullptr, 0), kSuccess);
  EXPECT_EQ(update(graph), kErrorGraphExecUpdateFailure);
  EXPECT_EQ(result_, kGraphExecUpdateErrorTopologyChanged);
  EXPECT_EQ(error_node_, nullptr);
  const Graph apart = make_graph(4);
  std::array<GraphNode, 2> nodes{};
  std::size_t count = 2;
  ASSERT_EQ(hipGraphGetNodes(apart, nodes.data(), &count), kSuccess);
  ASSERT_EQ(hipGraphRemoveDependencies(apart, &nodes[0], &nodes[1], 1), kSuccess);
  EXPECT_EQ(update(apart), kErrorGraphExecUpdateFailure);
  EXPECT_EQ(result_, kGraphExecUpdateErrorTopologyChanged);
  EXPECT_EQ(error_node_, nodes[1]);
  launch();
  EXPECT_EQ(to_[0], 2u) << "nothing changed";
}

TEST_F(GraphUpdate, RefusesAnotherType) {
  Graph graph = nullptr;
  ASSERT_EQ(hipStreamBeginCapture(side_, kStreamCaptureModeRelaxed), kSuccess);
  ASSERT_EQ(hipMemsetAsync(words_, 0, 4, side_), kSuccess);
  ASSERT_EQ(hipMemcpyAsync(to_.data(), words_, 4, kMemcpyDeviceToHost, side_), kSuccess);
  ASSERT_EQ(hipStreamEndCapture(side_, &graph), kSuccess);
  EXPECT_EQ(update(graph), kErrorGraphExecUpdateFailure);
  EXPECT_EQ(result_, kGraphExecUpdateErrorNodeTypeChanged);
  EXPECT_NE(error_node_, nullptr);
}

TEST_F(GraphUpdate, RefusesAnotherKindOfCopy) {
  Graph graph = nullptr;
  ASSERT_EQ(hipStreamBeginCapture(side_, kStreamCaptureModeRelaxed), kSuccess);
  ASSERT_EQ(scale(side_, 4), kSuccess);
  ASSERT_EQ(hipMemcpyAsync(other_, words_, 4, kMemcpyDeviceToDevice, side_), kSuccess);
  ASSERT_EQ(hipStreamEndCapture(side_, &graph), kSuccess);
  EXPECT_EQ(update(graph), kErrorGraphExecUpdateFailure);
  EXPECT_EQ(result_, kGraphExecUpdateErrorParametersChanged);
  launch();
  EXPECT_EQ(to_[0], 2u) << "all or nothing: the kernel did not change either";
}

TEST_F(GraphUpdate, RefusesWrongHandles) {
  EXPECT_EQ(hipGraphExecUpdate(nullptr, graph_, &error_node_, &result_), kErrorInvalidValue);
  EXPECT_EQ(hipGraphExecUpdate(executable_, nullptr, &error_node_, &result_), kErrorInvalidValue);
  EXPECT_EQ(hipGraphExecUpdate(executable_, graph_, nullptr, &result_), kErrorInvalidValue);
  EXPECT_EQ(hipGraphExecUpdate(executable_, graph_, &error_node_, nullptr), kErrorInvalidValue);
}

TEST_F(GraphUpdate, ChangesSingleNodes) {
  std::uint8_t shift = 3;
  std::uint32_t count = 64;
  void* arguments[] = {&words_, &shift, &count};
  KernelNodeParams parameters{};
  ASSERT_EQ(hipGraphKernelNodeGetParams(nodes_[0], &parameters), kSuccess);
  parameters.arguments = arguments;
  ASSERT_EQ(hipGraphExecKernelNodeSetParams(executable_, nodes_[0], &parameters), kSuccess);
  ASSERT_EQ(hipGraphExecMemcpyNodeSetParams1D(executable_, nodes_[1], to_.data() + 1, words_, 4,
                                              kMemcpyDeviceToHost),
            kSuccess);
  launch();
  EXPECT_EQ(to_[0], 0u);
  EXPECT_EQ(to_[1], 8u);
  EXPECT_EQ(hipGraphExecKernelNodeSetParams(executable_, nodes_[1], &parameters),
            kErrorInvalidValue);
  EXPECT_EQ(hipGraphExecKernelNodeSetParams(nullptr, nodes_[0], &parameters), kErrorInvalidValue);
  EXPECT_EQ(hipGraphExecKernelNodeSetParams(executable_, nodes_[0], nullptr), kErrorInvalidValue);
  EXPECT_EQ(hipGraphExecMemcpyNodeSetParams1D(executable_, nodes_[1], other_, words_, 4,
                                              kMemcpyDeviceToDevice),
            kErrorInvalidValue)
      << "another kind";
}

TEST_F(GraphUpdate, NeedsTheNodesOfItsTemplate) {
  GraphNode stranger = nullptr;
  Graph clone = nullptr;
  ASSERT_EQ(hipGraphClone(&clone, graph_), kSuccess);
  ASSERT_EQ(hipGraphNodeFindInClone(&stranger, nodes_[1], clone), kSuccess);
  EXPECT_EQ(hipGraphExecMemcpyNodeSetParams1D(executable_, stranger, to_.data(), words_, 4,
                                              kMemcpyDeviceToHost),
            kErrorInvalidValue);
  ASSERT_EQ(hipGraphDestroy(clone), kSuccess);
  ASSERT_EQ(hipGraphDestroyNode(nodes_[1]), kSuccess);
  EXPECT_EQ(hipGraphExecMemcpyNodeSetParams1D(executable_, nodes_[1], to_.data(), words_, 4,
                                              kMemcpyDeviceToHost),
            kErrorInvalidValue);
}

TEST_F(GraphUpdate, SwitchesNodesOff) {
  unsigned enabled = 7;
  ASSERT_EQ(hipGraphNodeGetEnabled(executable_, nodes_[0], &enabled), kSuccess);
  EXPECT_EQ(enabled, 1u);
  ASSERT_EQ(hipGraphNodeSetEnabled(executable_, nodes_[0], 0), kSuccess);
  launch();
  EXPECT_EQ(to_[0], 1u) << "not shifted";
  ASSERT_EQ(hipGraphNodeGetEnabled(executable_, nodes_[0], &enabled), kSuccess);
  EXPECT_EQ(enabled, 0u);
  ASSERT_EQ(hipGraphNodeSetEnabled(executable_, nodes_[0], 1), kSuccess);
  launch();
  EXPECT_EQ(to_[0], 2u);
  EXPECT_EQ(hipGraphNodeSetEnabled(executable_, nullptr, 1), kErrorInvalidValue);
  EXPECT_EQ(hipGraphNodeGetEnabled(executable_, nodes_[0], nullptr), kErrorInvalidValue);
}

TEST_F(GraphUpdate, ChangesChildren) {
  Graph parent = nullptr;
  GraphNode child = nullptr;
  GraphExec executable = nullptr;
  ASSERT_EQ(hipGraphCreate(&parent, 0), kSuccess);
  ASSERT_EQ(hipGraphAddChildGraphNode(&child, parent, nullptr, 0, graph_), kSuccess);
  ASSERT_EQ(hipGraphInstantiate(&executable, parent, nullptr, nullptr, 0), kSuccess);
  const Graph update = make_graph(5);
  EXPECT_EQ(hipGraphExecChildGraphNodeSetParams(executable, child, update), kSuccess);
  ASSERT_EQ(hipGraphLaunch(executable, stream_), kSuccess);
  ASSERT_EQ(hipStreamSynchronize(stream_), kSuccess);
  EXPECT_EQ(to_[0], 32u);
  EXPECT_EQ(hipGraphExecChildGraphNodeSetParams(executable, child, parent), kErrorUnknown);
  GraphNode more = nullptr;
  ASSERT_EQ(hipGraphAddEmptyNode(&more, update, nullptr, 0), kSuccess);
  EXPECT_EQ(hipGraphExecChildGraphNodeSetParams(executable, child, update), kErrorUnknown);
  EXPECT_EQ(hipGraphExecChildGraphNodeSetParams(executable, nodes_[0], update), kErrorInvalidValue);
  EXPECT_EQ(hipGraphDestroy(update), kSuccess);
  EXPECT_EQ(hipGraphExecDestroy(executable), kSuccess);
  EXPECT_EQ(hipGraphDestroy(parent), kSuccess);
}

TEST_F(GraphUpdate, CapturesLaunchesAsChildren) {
  Graph outer = nullptr;
  GraphExec executable = nullptr;
  ASSERT_EQ(hipGraphNodeSetEnabled(executable_, nodes_[0], 0), kSuccess);
  ASSERT_EQ(hipStreamBeginCapture(side_, kStreamCaptureModeGlobal), kSuccess);
  ASSERT_EQ(hipGraphLaunch(executable_, side_), kSuccess);
  ASSERT_EQ(scale(side_), kSuccess);
  ASSERT_EQ(hipStreamEndCapture(side_, &outer), kSuccess);
  GraphNode node = nullptr;
  std::size_t count = 1;
  GraphNodeType type{};
  ASSERT_EQ(hipGraphGetRootNodes(outer, &node, &count), kSuccess);
  ASSERT_EQ(hipGraphNodeGetType(node, &type), kSuccess);
  EXPECT_EQ(type, kGraphNodeGraph);
  ASSERT_EQ(hipGraphInstantiate(&executable, outer, nullptr, nullptr, 0), kSuccess);
  ASSERT_EQ(hipGraphLaunch(executable, stream_), kSuccess);
  ASSERT_EQ(hipStreamSynchronize(stream_), kSuccess);
  EXPECT_EQ(to_[0], 1u);
  EXPECT_EQ(words_of(words_)[0], 2u);
  EXPECT_EQ(hipGraphExecDestroy(executable), kSuccess);
  EXPECT_EQ(hipGraphDestroy(outer), kSuccess);
}

TEST_F(GraphUpdate, TellsItsFlags) {
  GraphInstantiateParams parameters{.error_node = nullptr,
                                    .flags = kGraphInstantiateAutoFreeOnLaunch,
                                    .result = kGraphInstantiateError,
                                    .upload_stream = nullptr};
  GraphExec executable = nullptr;
  ASSERT_EQ(hipGraphInstantiateWithParams(&executable, graph_, &parameters), kSuccess);
  EXPECT_EQ(parameters.result, kGraphInstantiateSuccess);
  unsigned long long flags = 0;
  EXPECT_EQ(hipGraphExecGetFlags(executable, &flags), kSuccess);
  EXPECT_EQ(flags, kGraphInstantiateAutoFreeOnLaunch);
  EXPECT_EQ(hipGraphExecGetFlags(executable, nullptr), kErrorInvalidValue);
  EXPECT_EQ(hipGraphExecDestroy(executable), kSuccess);
  parameters.flags = 0x100;
  EXPECT_EQ(hipGraphInstantiateWithParams(&executable, graph_, &parameters), kErrorInvalidValue);
  EXPECT_EQ(parameters.result, kGraphInstantiateError);
  EXPECT_EQ(hipGraphInstantiateWithParams(&executable, graph_, nullptr), kErrorInvalidValue);
}

}  // namespace
}  // namespace compass::hip
