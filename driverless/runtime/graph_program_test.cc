// SPDX-License-Identifier: MIT

// Lives and deaths of graphs.

#include <gtest/gtest.h>

#include "driverless/runtime/two_kernels_program.h"

namespace compass::hip {
namespace {

class Graphs : public TwoKernelsProgram {
 protected:
  /// A graph that shifts `words_` to the left.
  Graph capture_scale() {
    Graph graph = nullptr;
    EXPECT_EQ(hipStreamBeginCapture(side_, kStreamCaptureModeGlobal), kSuccess);
    EXPECT_EQ(scale(side_), kSuccess);
    EXPECT_EQ(hipStreamEndCapture(side_, &graph), kSuccess);
    return graph;
  }
};

TEST_F(Graphs, MayEndInFlight) {
  const Graph graph = capture_scale();
  GraphExec executable = nullptr;
  ASSERT_EQ(hipGraphInstantiateWithFlags(&executable, graph, 0), kSuccess);
  ASSERT_EQ(hipGraphLaunch(executable, stream_), kSuccess);
  ASSERT_EQ(hipGraphLaunch(executable, stream_), kSuccess);
  EXPECT_EQ(hipGraphDestroy(graph), kSuccess);
  EXPECT_EQ(hipGraphExecDestroy(executable), kSuccess);
  EXPECT_EQ(hipGraphLaunch(executable, stream_), kErrorInvalidValue);
  ASSERT_EQ(hipStreamSynchronize(stream_), kSuccess);
  EXPECT_EQ(words_of(words_)[0], 4u) << "what was launched ran";
}

TEST_F(Graphs, RunOneLaunchAfterTheOther) {
  const Graph graph = capture_scale();
  GraphExec executable = nullptr;
  ASSERT_EQ(hipGraphInstantiateWithFlags(&executable, graph, 0), kSuccess);
  ASSERT_EQ(hipGraphLaunch(executable, stream_), kSuccess);
  ASSERT_EQ(hipGraphLaunch(executable, side_), kSuccess);
  ASSERT_EQ(hipStreamSynchronize(side_), kSuccess);
  EXPECT_EQ(words_of(words_)[0], 4u) << "the other stream's launch came first";
  EXPECT_EQ(hipGraphExecDestroy(executable), kSuccess);
  EXPECT_EQ(hipGraphDestroy(graph), kSuccess);
}

TEST_F(Graphs, CostTheHostOneCallALaunch) {
  Graph graph = nullptr;
  GraphExec executable = nullptr;
  GraphNode node = nullptr;
  ASSERT_EQ(hipGraphCreate(&graph, 0), kSuccess);
  for (int i = 0; i < 100; ++i) {
    ASSERT_EQ(hipGraphAddEmptyNode(&node, graph, nullptr, 0), kSuccess);
  }
  ASSERT_EQ(hipGraphInstantiate(&executable, graph, nullptr, nullptr, 0), kSuccess);
  ASSERT_EQ(hipEventRecord(events_[0], stream_), kSuccess);
  ASSERT_EQ(hipGraphLaunch(executable, stream_), kSuccess);
  ASSERT_EQ(hipEventRecord(events_[1], stream_), kSuccess);
  ASSERT_EQ(hipEventSynchronize(events_[1]), kSuccess);
  float elapsed_ms = 0;
  ASSERT_EQ(hipEventElapsedTime(&elapsed_ms, events_[0], events_[1]), kSuccess);
  EXPECT_LT(elapsed_ms, 0.01f) << "100 calls would take ten times as long";
  EXPECT_EQ(hipGraphExecDestroy(executable), kSuccess);
  EXPECT_EQ(hipGraphDestroy(graph), kSuccess);
}

TEST_F(Graphs, RefuseWrongHandles) {
  GraphExec executable = nullptr;
  const Graph graph = capture_scale();
  EXPECT_EQ(hipGraphCreate(nullptr, 0), kErrorInvalidValue);
  Graph other = nullptr;
  EXPECT_EQ(hipGraphCreate(&other, 1), kErrorInvalidValue);
  EXPECT_EQ(hipGraphInstantiateWithFlags(nullptr, graph, 0), kErrorInvalidValue);
  EXPECT_EQ(hipGraphInstantiateWithFlags(&executable, graph, 0x40), kErrorInvalidValue);
  EXPECT_EQ(hipGraphInstantiate(&executable, nullptr, nullptr, nullptr, 0), kErrorInvalidValue);
  ASSERT_EQ(hipGraphInstantiate(&executable, graph, nullptr, nullptr, 0), kSuccess);
  EXPECT_EQ(hipGraphLaunch(executable, reinterpret_cast<Stream>(this)), kErrorContextIsDestroyed);
  EXPECT_EQ(hipGraphUpload(executable, stream_), kSuccess);
  EXPECT_EQ(hipGraphUpload(nullptr, stream_), kErrorInvalidValue);
  EXPECT_EQ(hipGraphDestroy(graph), kSuccess);
  EXPECT_EQ(hipGraphDestroy(graph), kErrorIllegalState);
  EXPECT_EQ(hipGraphDestroy(nullptr), kErrorInvalidValue);
  EXPECT_EQ(hipGraphExecDestroy(executable), kSuccess);
  EXPECT_EQ(hipGraphExecDestroy(executable), kErrorInvalidValue);
  EXPECT_EQ(hipGraphLaunch(nullptr, stream_), kErrorInvalidValue);
}

}  // namespace
}  // namespace compass::hip
