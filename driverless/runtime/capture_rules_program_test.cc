// SPDX-License-Identifier: MIT

// What stream capture forbids, with which error, and what becomes of the capture.

#include <gtest/gtest.h>

#include <functional>
#include <thread>
#include <utility>

#include "driverless/runtime/two_kernels_program.h"

namespace compass::hip {
namespace {

constexpr StreamCaptureMode kModes[] = {kStreamCaptureModeGlobal, kStreamCaptureModeThreadLocal,
                                        kStreamCaptureModeRelaxed};

class CaptureRules : public TwoKernelsProgram {
 protected:
  void begin(Stream stream, StreamCaptureMode mode = kStreamCaptureModeThreadLocal) {
    ASSERT_EQ(hipStreamBeginCapture(stream, mode), kSuccess);
  }
  static Error end(Stream stream) {
    Graph graph = nullptr;
    const Error error = hipStreamEndCapture(stream, &graph);
    EXPECT_EQ(graph == nullptr, error != kSuccess);
    if (graph != nullptr) {
      EXPECT_EQ(hipGraphDestroy(graph), kSuccess);
    }
    return error;
  }
  static StreamCaptureStatus status_of(Stream stream) {
    StreamCaptureStatus status{};
    EXPECT_EQ(hipStreamIsCapturing(stream, &status), kSuccess);
    return status;
  }
  template <class Body>
  static Error on_a_thread(Body body) {
    Error error = kSuccess;
    std::thread([&] { error = body(); }).join();
    return error;
  }
};

TEST_F(CaptureRules, RefusesWrongBegins) {
  EXPECT_EQ(hipStreamBeginCapture(nullptr, kStreamCaptureModeGlobal),
            kErrorStreamCaptureUnsupported);
  EXPECT_EQ(hipStreamBeginCapture(stream_, static_cast<StreamCaptureMode>(3)), kErrorInvalidValue);
  EXPECT_EQ(hipStreamBeginCapture(reinterpret_cast<Stream>(this), kStreamCaptureModeGlobal),
            kErrorContextIsDestroyed);
  begin(stream_);
  EXPECT_EQ(hipStreamBeginCapture(stream_, kStreamCaptureModeGlobal), kErrorIllegalState);
  ASSERT_EQ(hipEventRecord(events_[0], stream_), kSuccess);
  ASSERT_EQ(hipStreamWaitEvent(side_, events_[0], 0), kSuccess);
  EXPECT_EQ(hipStreamBeginCapture(side_, kStreamCaptureModeGlobal), kErrorIllegalState);
  EXPECT_EQ(end(stream_), kSuccess);
}

TEST_F(CaptureRules, RefusesWrongEnds) {
  EXPECT_EQ(hipStreamEndCapture(stream_, nullptr), kErrorInvalidValue);
  EXPECT_EQ(end(stream_), kErrorIllegalState) << "never begun";
  EXPECT_EQ(end(nullptr), kErrorIllegalState);
  EXPECT_EQ(end(reinterpret_cast<Stream>(this)), kErrorContextIsDestroyed);
  begin(stream_);
  ASSERT_EQ(hipEventRecord(events_[0], stream_), kSuccess);
  ASSERT_EQ(hipStreamWaitEvent(side_, events_[0], 0), kSuccess);
  EXPECT_EQ(end(side_), kErrorStreamCaptureUnmatched);
  EXPECT_EQ(end(stream_), kSuccess) << "still on";
}

TEST_F(CaptureRules, EndsOnTheThreadThatBeganIt) {
  for (const StreamCaptureMode mode : kModes) {
    begin(stream_, mode);
    const bool relaxed = mode == kStreamCaptureModeRelaxed;
    EXPECT_EQ(on_a_thread([&] { return end(stream_); }),
              relaxed ? kSuccess : kErrorStreamCaptureWrongThread);
    if (!relaxed) {
      EXPECT_EQ(end(stream_), kSuccess);
    }
  }
}

TEST_F(CaptureRules, NeedsForksJoined) {
  begin(stream_);
  ASSERT_EQ(scale(stream_), kSuccess);
  ASSERT_EQ(hipEventRecord(events_[0], stream_), kSuccess);
  ASSERT_EQ(hipStreamWaitEvent(side_, events_[0], 0), kSuccess);
  ASSERT_EQ(reverse(side_), kSuccess);
  ASSERT_EQ(hipEventRecord(events_[1], side_), kSuccess);
  ASSERT_EQ(hipStreamWaitEvent(stream_, events_[1], 0), kSuccess);
  ASSERT_EQ(reverse(side_), kSuccess) << "after the join";
  EXPECT_EQ(end(stream_), kErrorStreamCaptureUnjoined);
  EXPECT_EQ(status_of(stream_), kStreamCaptureStatusNone);
  EXPECT_EQ(status_of(side_), kStreamCaptureStatusNone);
}

TEST_F(CaptureRules, KeepsCapturesApart) {
  begin(stream_);
  begin(side_);
  ASSERT_EQ(hipEventRecord(events_[0], side_), kSuccess);
  EXPECT_EQ(hipStreamWaitEvent(stream_, events_[0], 0), kErrorStreamCaptureMerge);
  EXPECT_EQ(status_of(stream_), kStreamCaptureStatusInvalidated);
  EXPECT_EQ(scale(stream_), kErrorStreamCaptureInvalidated);
  EXPECT_EQ(hipEventRecord(events_[1], stream_), kErrorStreamCaptureInvalidated);
  EXPECT_EQ(hipStreamWaitEvent(stream_, events_[0], 0), kErrorStreamCaptureInvalidated);
  EXPECT_EQ(hipStreamBeginCapture(stream_, kStreamCaptureModeRelaxed), kErrorIllegalState);
  EXPECT_EQ(end(stream_), kErrorStreamCaptureInvalidated);
  EXPECT_EQ(end(side_), kErrorStreamCaptureInvalidated);
  EXPECT_EQ(scale(stream_), kSuccess) << "over";
}

TEST_F(CaptureRules, WaitsForNothingOutside) {
  ASSERT_EQ(hipEventRecord(events_[0], side_), kSuccess);
  begin(stream_);
  EXPECT_EQ(hipStreamWaitEvent(stream_, events_[1], 0), kSuccess) << "never recorded";
  EXPECT_EQ(hipStreamWaitEvent(stream_, events_[0], 0), kErrorStreamCaptureIsolation);
  EXPECT_EQ(end(stream_), kErrorStreamCaptureInvalidated);
}

TEST_F(CaptureRules, ForbidsTheLegacyStreamBesideBlockingOnes) {
  const std::function<Error()> uses[] = {
      [&] { return scale(nullptr); },
      [&] { return hipMemsetAsync(words_, 0, 4, nullptr); },
      [&] { return hipEventRecord(events_[0], nullptr); },
      [&] { return hipStreamWaitEvent(nullptr, events_[0], 0); },
      [] { return hipStreamSynchronize(nullptr); },
  };
  for (const auto& use : uses) {
    begin(stream_, kStreamCaptureModeRelaxed);
    StreamCaptureStatus status{};
    EXPECT_EQ(hipStreamIsCapturing(nullptr, &status), kErrorStreamCaptureImplicit);
    EXPECT_EQ(use(), kErrorStreamCaptureImplicit);
    EXPECT_EQ(end(stream_), kErrorStreamCaptureInvalidated);
    begin(side_, kStreamCaptureModeRelaxed);
    EXPECT_EQ(status_of(nullptr), kStreamCaptureStatusNone);
    EXPECT_EQ(use(), kSuccess);
    EXPECT_EQ(end(side_), kSuccess);
  }
}

TEST_F(CaptureRules, ForbidsTheLegacyStreamToJoin) {
  begin(side_);
  ASSERT_EQ(hipEventRecord(events_[0], side_), kSuccess);
  EXPECT_EQ(hipStreamWaitEvent(nullptr, events_[0], 0), kErrorStreamCaptureImplicit);
  EXPECT_EQ(end(side_), kErrorStreamCaptureInvalidated);
}

TEST_F(CaptureRules, ForbidsToWaitForWhatIsCaptured) {
  const std::pair<std::function<Error()>, Error> waits[] = {
      {[&] { return hipStreamSynchronize(side_); }, kErrorStreamCaptureUnsupported},
      {[&] { return hipStreamQuery(side_); }, kErrorStreamCaptureUnsupported},
      {[] { return hipDeviceSynchronize(); }, kErrorStreamCaptureUnsupported},
      {[&] { return hipEventSynchronize(events_[0]); }, kErrorCapturedEvent},
      {[&] { return hipEventQuery(events_[0]); }, kErrorCapturedEvent},
  };
  for (const StreamCaptureMode mode : kModes) {
    for (const auto& [wait, error] : waits) {
      begin(side_, mode);
      ASSERT_EQ(hipEventRecord(events_[0], side_), kSuccess);
      EXPECT_EQ(wait(), error);
      EXPECT_EQ(end(side_), kErrorStreamCaptureInvalidated);
    }
  }
  EXPECT_EQ(hipEventQuery(events_[0]), kSuccess) << "the capture is over: as if never recorded";
}

TEST_F(CaptureRules, ForbidsBlockingCopiesInEachMode) {
  std::uint32_t word = 0;
  for (const StreamCaptureMode mode : kModes) {
    begin(side_, mode);
    EXPECT_EQ(hipMemcpy(&word, words_, 4, kMemcpyDeviceToHost), kErrorStreamCaptureImplicit);
    EXPECT_EQ(end(side_), kErrorStreamCaptureInvalidated);
    begin(side_, mode);
    EXPECT_EQ(hipMemset(words_, 0, 4), kErrorStreamCaptureImplicit);
    EXPECT_EQ(end(side_), kErrorStreamCaptureInvalidated);
  }
}

TEST_F(CaptureRules, ForbidsUnsafeCallsByMode) {
  const std::function<Error()> unsafe_calls[] = {
      [] {
        void* pointer = nullptr;
        const Error error = hipMalloc(&pointer, 64);
        return error == kSuccess ? hipFree(pointer) : error;
      },
      [&] { return hipStreamSynchronize(stream_); },
      [&] { return hipStreamQuery(stream_); },
  };
  for (const auto& call : unsafe_calls) {
    for (const StreamCaptureMode mode : kModes) {
      const bool own = mode != kStreamCaptureModeRelaxed;
      begin(side_, mode);
      EXPECT_EQ(call(), own ? kErrorStreamCaptureUnsupported : kSuccess);
      EXPECT_EQ(end(side_), own ? kErrorStreamCaptureInvalidated : kSuccess);
      const bool all = mode == kStreamCaptureModeGlobal;
      begin(side_, mode);
      EXPECT_EQ(on_a_thread([&] { return call(); }),
                all ? kErrorStreamCaptureUnsupported : kSuccess);
      EXPECT_EQ(end(side_), all ? kErrorStreamCaptureInvalidated : kSuccess);
    }
  }
}

TEST_F(CaptureRules, ThreadsMayChooseTheirMode) {
  const auto allocate_in = [](StreamCaptureMode mode) {
    EXPECT_EQ(hipThreadExchangeStreamCaptureMode(&mode), kSuccess);
    EXPECT_EQ(mode, kStreamCaptureModeGlobal) << "what a thread begins with";
    void* pointer = nullptr;
    const Error error = hipMalloc(&pointer, 64);
    return error == kSuccess ? hipFree(pointer) : error;
  };
  begin(side_, kStreamCaptureModeGlobal);
  EXPECT_EQ(on_a_thread([&] { return allocate_in(kStreamCaptureModeThreadLocal); }), kSuccess);
  EXPECT_EQ(on_a_thread([&] { return allocate_in(kStreamCaptureModeRelaxed); }), kSuccess);
  EXPECT_EQ(end(side_), kSuccess);
  auto wrong = static_cast<StreamCaptureMode>(-1);
  EXPECT_EQ(hipThreadExchangeStreamCaptureMode(&wrong), kErrorInvalidValue);
  EXPECT_EQ(hipThreadExchangeStreamCaptureMode(nullptr), kErrorInvalidValue);
}

TEST_F(CaptureRules, ForbidsCallbacks) {
  begin(side_);
  EXPECT_EQ(hipStreamAddCallback(
                side_, [](Stream, Error, void*) {}, nullptr, 0),
            kErrorStreamCaptureUnsupported);
  EXPECT_EQ(end(side_), kErrorStreamCaptureInvalidated);
}

TEST_F(CaptureRules, EndWithTheStreamTheyBeganOn) {
  Stream first = nullptr;
  ASSERT_EQ(hipStreamCreate(&first), kSuccess);
  begin(first, kStreamCaptureModeGlobal);
  ASSERT_EQ(hipEventRecord(events_[0], first), kSuccess);
  ASSERT_EQ(hipStreamWaitEvent(side_, events_[0], 0), kSuccess);
  EXPECT_EQ(hipStreamDestroy(first), kSuccess);
  EXPECT_EQ(status_of(side_), kStreamCaptureStatusNone);
  EXPECT_EQ(hipDeviceSynchronize(), kSuccess);
}

TEST_F(CaptureRules, StayWhenAnotherStreamEnds) {
  Stream middle = nullptr;
  ASSERT_EQ(hipStreamCreate(&middle), kSuccess);
  begin(side_);
  ASSERT_EQ(scale(side_), kSuccess);
  ASSERT_EQ(hipEventRecord(events_[0], side_), kSuccess);
  ASSERT_EQ(hipStreamWaitEvent(middle, events_[0], 0), kSuccess);
  ASSERT_EQ(scale(middle), kSuccess);
  ASSERT_EQ(hipEventRecord(events_[1], middle), kSuccess);
  EXPECT_EQ(hipStreamDestroy(middle), kSuccess);
  ASSERT_EQ(hipStreamWaitEvent(side_, events_[1], 0), kSuccess);
  EXPECT_EQ(end(side_), kSuccess);
}

TEST_F(CaptureRules, RefusesWrongQuestions) {
  StreamCaptureStatus status{};
  EXPECT_EQ(hipStreamIsCapturing(stream_, nullptr), kErrorInvalidValue);
  EXPECT_EQ(hipStreamGetCaptureInfo(stream_, nullptr, nullptr), kErrorInvalidValue);
  EXPECT_EQ(hipStreamIsCapturing(reinterpret_cast<Stream>(this), &status),
            kErrorContextIsDestroyed);
  EXPECT_EQ(hipStreamUpdateCaptureDependencies(stream_, nullptr, 0, kStreamSetCaptureDependencies),
            kErrorIllegalState);
  begin(stream_);
  GraphNode unknown = reinterpret_cast<GraphNode>(this);
  EXPECT_EQ(hipStreamUpdateCaptureDependencies(stream_, &unknown, 1, kStreamAddCaptureDependencies),
            kErrorInvalidValue);
  EXPECT_EQ(hipStreamUpdateCaptureDependencies(stream_, nullptr, 1, kStreamAddCaptureDependencies),
            kErrorInvalidValue);
  EXPECT_EQ(hipStreamUpdateCaptureDependencies(stream_, nullptr, 0, 2), kErrorInvalidValue);
  EXPECT_EQ(end(stream_), kSuccess);
}

}  // namespace
}  // namespace compass::hip
