// SPDX-License-Identifier: MIT

// What stream capture makes of a program's calls, and what launches of it do.

#include <gtest/gtest.h>

#include <vector>

#include "driverless/runtime/two_kernels_program.h"

namespace compass::hip {
namespace {

class Capture : public TwoKernelsProgram {
 protected:
  ~Capture() override {
    if (executable_ != nullptr) {
      EXPECT_EQ(hipGraphExecDestroy(executable_), kSuccess);
    }
    if (graph_ != nullptr) {
      EXPECT_EQ(hipGraphDestroy(graph_), kSuccess);
    }
  }

  void begin(Stream stream) {
    ASSERT_EQ(hipStreamBeginCapture(stream, kStreamCaptureModeGlobal), kSuccess);
  }
  void end(Stream stream) {
    ASSERT_EQ(hipStreamEndCapture(stream, &graph_), kSuccess);
    ASSERT_EQ(hipGraphInstantiate(&executable_, graph_, nullptr, nullptr, 0), kSuccess);
  }
  void fork(Stream from, Stream to, Event event) {
    ASSERT_EQ(hipEventRecord(event, from), kSuccess);
    ASSERT_EQ(hipStreamWaitEvent(to, event, 0), kSuccess);
  }
  void launch_and_wait() {
    ASSERT_EQ(hipGraphLaunch(executable_, stream_), kSuccess);
    ASSERT_EQ(hipStreamSynchronize(stream_), kSuccess);
  }
  std::size_t count_nodes() const {
    std::size_t count = 0;
    EXPECT_EQ(hipGraphGetNodes(graph_, nullptr, &count), kSuccess);
    return count;
  }

  Graph graph_ = nullptr;
  GraphExec executable_ = nullptr;
};

TEST_F(Capture, RunsNothingUntilItsGraphIsLaunched) {
  begin(stream_);
  ASSERT_EQ(scale(stream_), kSuccess);
  ASSERT_EQ(reverse(stream_), kSuccess);
  end(stream_);
  EXPECT_EQ(words_of(words_)[0], 1u);
  launch_and_wait();
  EXPECT_EQ(words_of(words_)[0], 2u);
  EXPECT_EQ(words_of(other_)[0], 128u);
  launch_and_wait();
  EXPECT_EQ(words_of(other_)[0], 256u) << "once more from where the first launch ended";
}

TEST_F(Capture, KeepsArgumentsAsTheyWere) {
  begin(stream_);
  void* const words = words_;
  ASSERT_EQ(scale(stream_, 3), kSuccess);
  words_ = nullptr;
  end(stream_);
  words_ = words;
  launch_and_wait();
  EXPECT_EQ(words_of(words_)[63], 64u << 3);
}

TEST_F(Capture, HoldsCopiesAndFillsOfPageableMemory) {
  Words from{};
  Words to{};
  begin(stream_);
  ASSERT_EQ(hipMemcpyAsync(words_, from.data(), sizeof from, kMemcpyHostToDevice, stream_),
            kSuccess);
  ASSERT_EQ(hipMemsetD32Async(words_, 7, 1, stream_), kSuccess);
  ASSERT_EQ(hipMemcpyAsync(to.data(), words_, sizeof to, kMemcpyDeviceToHost, stream_), kSuccess);
  end(stream_);
  EXPECT_EQ(count_nodes(), 3u);
  from.fill(5);
  launch_and_wait();
  EXPECT_EQ(to[0], 7u);
  EXPECT_EQ(to[1], 5u) << "read when the graph runs";
}

TEST_F(Capture, CallsHostFunctionsInOrder) {
  std::vector<int> order;
  const HostFunction first = [](void* data) { static_cast<std::vector<int>*>(data)->push_back(1); };
  const HostFunction next = [](void* data) { static_cast<std::vector<int>*>(data)->push_back(2); };
  begin(stream_);
  ASSERT_EQ(hipLaunchHostFunc(stream_, first, &order), kSuccess);
  ASSERT_EQ(hipLaunchHostFunc(stream_, next, &order), kSuccess);
  end(stream_);
  EXPECT_TRUE(order.empty());
  launch_and_wait();
  launch_and_wait();
  EXPECT_EQ(order, (std::vector<int>{1, 2, 1, 2}));
}

TEST_F(Capture, SpreadsByEventsToOtherStreams) {
  begin(stream_);
  ASSERT_EQ(scale(stream_), kSuccess);
  fork(stream_, side_, events_[0]);
  StreamCaptureStatus status{};
  ASSERT_EQ(hipStreamIsCapturing(side_, &status), kSuccess);
  EXPECT_EQ(status, kStreamCaptureStatusActive);
  ASSERT_EQ(reverse(side_), kSuccess);
  fork(side_, stream_, events_[1]);
  ASSERT_EQ(hipMemcpyAsync(words_, other_, sizeof(Words), kMemcpyDeviceToDevice, stream_),
            kSuccess);
  end(stream_);
  EXPECT_EQ(count_nodes(), 3u);
  ASSERT_EQ(hipStreamIsCapturing(side_, &status), kSuccess);
  EXPECT_EQ(status, kStreamCaptureStatusNone);
  launch_and_wait();
  EXPECT_EQ(words_of(words_)[0], 128u);
}

TEST_F(Capture, EndsWithStreamsJoinedThatDidNothing) {
  begin(stream_);
  fork(stream_, side_, events_[0]);
  ASSERT_EQ(scale(stream_), kSuccess);
  end(stream_);
  EXPECT_EQ(count_nodes(), 1u);
}

TEST_F(Capture, MakesExternalEventsNodes) {
  begin(stream_);
  ASSERT_EQ(hipStreamWaitEvent(stream_, events_[0], kEventWaitExternal), kSuccess);
  ASSERT_EQ(scale(stream_), kSuccess);
  ASSERT_EQ(hipEventRecordWithFlags(events_[1], stream_, kEventRecordExternal), kSuccess);
  end(stream_);
  EXPECT_EQ(count_nodes(), 3u);
  EXPECT_EQ(hipEventRecord(events_[0], side_), kSuccess);
  ASSERT_EQ(hipGraphLaunch(executable_, stream_), kSuccess);
  EXPECT_EQ(hipEventSynchronize(events_[1]), kSuccess);
  EXPECT_EQ(words_of(words_)[0], 2u);
  float elapsed_ms = 0;
  EXPECT_EQ(hipEventElapsedTime(&elapsed_ms, events_[0], events_[1]), kSuccess);
  EXPECT_GT(elapsed_ms, 0.0f);
}

TEST_F(Capture, TellsWhereItIs) {
  StreamCaptureStatus status{};
  unsigned long long first = 0;
  unsigned long long second = 0;
  Graph graph = nullptr;
  const GraphNode* dependencies = nullptr;
  std::size_t count = 7;
  begin(stream_);
  ASSERT_EQ(scale(stream_), kSuccess);
  ASSERT_EQ(hipStreamGetCaptureInfo_v2(stream_, &status, &first, &graph, &dependencies, &count),
            kSuccess);
  ASSERT_EQ(count, 1u);
  GraphNode node = nullptr;
  std::size_t nodes = 1;
  EXPECT_EQ(hipGraphGetNodes(graph, &node, &nodes), kSuccess);
  EXPECT_EQ(dependencies[0], node);
  end(stream_);
  EXPECT_EQ(graph, graph_);
  begin(side_);
  ASSERT_EQ(hipStreamGetCaptureInfo(side_, &status, &second), kSuccess);
  EXPECT_NE(first, second);
  EXPECT_EQ(hipStreamEndCapture(side_, &graph), kSuccess);
  EXPECT_EQ(hipGraphDestroy(graph), kSuccess);
}

TEST_F(Capture, TakesDependenciesFromItsCaller) {
  StreamCaptureStatus status{};
  const GraphNode* dependencies = nullptr;
  std::size_t count = 0;
  begin(stream_);
  ASSERT_EQ(scale(stream_), kSuccess);
  ASSERT_EQ(hipStreamUpdateCaptureDependencies(stream_, nullptr, 0, kStreamSetCaptureDependencies),
            kSuccess);
  ASSERT_EQ(hipStreamGetCaptureInfo_v2(stream_, &status, nullptr, nullptr, &dependencies, &count),
            kSuccess);
  EXPECT_EQ(count, 0u);
  ASSERT_EQ(reverse(stream_), kSuccess);
  end(stream_);
  EXPECT_EQ(count_nodes(), 2u) << "the first need not be joined";
}

TEST_F(Capture, GoesIntoAGraphThatIsThere) {
  Graph graph = nullptr;
  ASSERT_EQ(hipGraphCreate(&graph, 0), kSuccess);
  ASSERT_EQ(
      hipStreamBeginCaptureToGraph(stream_, graph, nullptr, nullptr, 0, kStreamCaptureModeRelaxed),
      kSuccess);
  ASSERT_EQ(scale(stream_), kSuccess);
  end(stream_);
  EXPECT_EQ(graph, graph_);
  launch_and_wait();
  EXPECT_EQ(words_of(words_)[0], 2u);
}

TEST_F(Capture, IsOnTheThreadsOwnStreamIfAsked) {
  StreamCaptureStatus status{};
  ASSERT_EQ(hipStreamBeginCapture_spt(nullptr, kStreamCaptureModeGlobal), kSuccess);
  EXPECT_EQ(hipStreamIsCapturing_spt(nullptr, &status), kSuccess);
  EXPECT_EQ(status, kStreamCaptureStatusActive);
  EXPECT_EQ(hipStreamEndCapture_spt(nullptr, &graph_), kSuccess);
}

}  // namespace
}  // namespace compass::hip
