// SPDX-License-Identifier: MIT

// Captures and graphs of a program with many threads.

#include <gtest/gtest.h>

#include <array>
#include <thread>
#include <vector>

#include "driverless/runtime/two_kernels_program.h"

namespace compass::hip {
namespace {

constexpr std::uint32_t kThreads = 16;

/// Runs `body(i)` on thread i, all at once.
template <class Body>
void on_threads(Body body) {
  std::vector<std::thread> threads;
  for (std::uint32_t i = 0; i < kThreads; ++i) threads.emplace_back([&body, i] { body(i); });
  for (std::thread& thread : threads) thread.join();
}

/// Captures on `stream` what gives `*result` the value by way of `word`, and launches it; all of it
/// ends in flight.
void capture_and_launch(Stream stream, void* word, std::uint32_t value, std::uint32_t* result) {
  Graph graph = nullptr;
  GraphExec executable = nullptr;
  EXPECT_EQ(hipStreamBeginCapture(stream, kStreamCaptureModeThreadLocal), kSuccess);
  EXPECT_EQ(hipMemsetD32Async(word, static_cast<int>(value), 1, stream), kSuccess);
  EXPECT_EQ(hipMemcpyAsync(result, word, 4, kMemcpyDeviceToHost, stream), kSuccess);
  EXPECT_EQ(hipStreamEndCapture(stream, &graph), kSuccess);
  EXPECT_EQ(hipGraphInstantiate(&executable, graph, nullptr, nullptr, 0), kSuccess);
  EXPECT_EQ(hipGraphDestroy(graph), kSuccess);
  EXPECT_EQ(hipGraphLaunch(executable, stream), kSuccess);
  EXPECT_EQ(hipGraphExecDestroy(executable), kSuccess);
  EXPECT_EQ(hipStreamSynchronize(stream), kSuccess);
}

class GraphThreads : public TwoKernelsProgram {};

TEST_F(GraphThreads, CaptureApart) {
  std::array<std::uint32_t, kThreads> results{};
  on_threads([&](std::uint32_t i) {
    Stream stream = nullptr;
    void* word = nullptr;
    EXPECT_EQ(hipStreamCreateWithFlags(&stream, kStreamNonBlocking), kSuccess);
    EXPECT_EQ(hipMalloc(&word, 4), kSuccess) << "no other thread's capture forbids it";
    for (std::uint32_t round = 0; round < 8; ++round) {
      capture_and_launch(stream, word, 100 * round + i, &results[i]);
    }
    EXPECT_EQ(hipFree(word), kSuccess);
    EXPECT_EQ(hipStreamDestroy(stream), kSuccess);
  });
  for (std::uint32_t i = 0; i < kThreads; ++i) EXPECT_EQ(results[i], 700 + i);
}

TEST_F(GraphThreads, ShareAnExecutableGraph) {
  Graph graph = nullptr;
  GraphExec executable = nullptr;
  ASSERT_EQ(hipMemset(words_, 1, sizeof(Words)), kSuccess);
  ASSERT_EQ(hipStreamBeginCapture(side_, kStreamCaptureModeGlobal), kSuccess);
  ASSERT_EQ(scale(side_), kSuccess);
  ASSERT_EQ(hipStreamEndCapture(side_, &graph), kSuccess);
  ASSERT_EQ(hipGraphInstantiate(&executable, graph, nullptr, nullptr, 0), kSuccess);
  on_threads([&](std::uint32_t) {
    Stream stream = nullptr;
    EXPECT_EQ(hipStreamCreateWithFlags(&stream, kStreamNonBlocking), kSuccess);
    EXPECT_EQ(hipGraphLaunch(executable, stream), kSuccess);
    GraphNode error_node = nullptr;
    GraphExecUpdateResult result{};
    EXPECT_EQ(hipGraphExecUpdate(executable, graph, &error_node, &result), kSuccess);
    EXPECT_EQ(hipStreamDestroy(stream), kSuccess);
  });
  EXPECT_EQ(hipGraphExecDestroy(executable), kSuccess);
  EXPECT_EQ(hipGraphDestroy(graph), kSuccess);
  ASSERT_EQ(hipDeviceSynchronize(), kSuccess);
  EXPECT_EQ(words_of(words_)[0], 0x01010101u << kThreads) << "one launch after the other";
}

TEST_F(GraphThreads, JoinOneCapture) {
  std::array<Stream, kThreads> streams{};
  std::array<Event, kThreads> events{};
  for (Stream& stream : streams) ASSERT_EQ(hipStreamCreate(&stream), kSuccess);
  for (Event& event : events) ASSERT_EQ(hipEventCreate(&event), kSuccess);
  ASSERT_EQ(hipStreamBeginCapture(side_, kStreamCaptureModeRelaxed), kSuccess);
  ASSERT_EQ(hipEventRecord(events_[0], side_), kSuccess);
  on_threads([&](std::uint32_t i) {
    EXPECT_EQ(hipStreamWaitEvent(streams[i], events_[0], 0), kSuccess);
    EXPECT_EQ(hipMemsetD32Async(static_cast<std::uint32_t*>(words_) + i, 7, 1, streams[i]),
              kSuccess);
    EXPECT_EQ(hipEventRecord(events[i], streams[i]), kSuccess);
  });
  for (const Event event : events) ASSERT_EQ(hipStreamWaitEvent(side_, event, 0), kSuccess);
  Graph graph = nullptr;
  ASSERT_EQ(hipStreamEndCapture(side_, &graph), kSuccess);
  std::size_t count = 0;
  EXPECT_EQ(hipGraphGetRootNodes(graph, nullptr, &count), kSuccess);
  EXPECT_EQ(count, kThreads);
  EXPECT_EQ(hipGraphDestroy(graph), kSuccess);
  for (const Event event : events) EXPECT_EQ(hipEventDestroy(event), kSuccess);
  for (const Stream stream : streams) EXPECT_EQ(hipStreamDestroy(stream), kSuccess);
}

}  // namespace
}  // namespace compass::hip
