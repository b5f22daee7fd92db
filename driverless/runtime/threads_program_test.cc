// SPDX-License-Identifier: MIT

// Programs whose threads use streams at once. Each thread checks its own results; a build with a
// thread sanitizer checks the runtime (tests/sanitize.sh).

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <thread>
#include <vector>

#include "driverless/runtime/api.h"
#include "ir/code_object/test_inputs.h"

namespace compass::hip {
namespace {

constexpr char kScale = 0;  // what the host code of a kernel is: only its address counts
constexpr int kRounds = 40;

void expect_success(Error error) { EXPECT_EQ(error, kSuccess); }

/// What one thread has of its own.
struct Work {
  void* words = nullptr;
  void* pinned = nullptr;
  Stream stream = nullptr;
  Event done = nullptr;
  std::atomic<int> calls = 0;

  static constexpr std::uint32_t kCount = 64;

  void make() {
    expect_success(hipMalloc(&words, kCount * 4));
    expect_success(hipHostMalloc(&pinned, kCount * 4, 0));
    expect_success(hipStreamCreateWithFlags(&stream, kStreamNonBlocking));
    expect_success(hipEventCreate(&done));
  }
  void end() {
    expect_success(hipStreamDestroy(stream));
    expect_success(hipEventDestroy(done));
    expect_success(hipHostFree(pinned));
    expect_success(hipFree(words));
  }
  std::uint32_t* host() const { return static_cast<std::uint32_t*>(pinned); }

  /// Sets every word to `value`, shifts it left by one on the device, and brings it back.
  void enqueue(std::uint32_t value) {
    std::uint8_t shift = 1;
    std::uint32_t count = kCount;
    void* arguments[] = {&words, &shift, &count};
    expect_success(hipMemsetD32Async(words, static_cast<int>(value), kCount, stream));
    expect_success(hipLaunchKernel(&kScale, {1, 1, 1}, {64, 1, 1}, arguments, 0, stream));
    expect_success(
        hipMemcpyAsync(pinned, words, kCount * 4, kMemcpyDeviceToHost, stream));
    expect_success(hipLaunchHostFunc(
        stream, [](void* calls) { ++*static_cast<std::atomic<int>*>(calls); }, &calls));
    expect_success(hipEventRecord(done, stream));
  }
};

class ThreadsProgram : public testing::TestWithParam<int> {
 protected:
  void SetUp() override {
    code_object_ = two_kernels();
    wrapper_ = {kFatBinaryMagic, 1, code_object_.data(), nullptr};
    handle_ = __hipRegisterFatBinary(&wrapper_);
    __hipRegisterFunction(handle_, &kScale, nullptr, "scale", 0, nullptr, nullptr, nullptr, nullptr,
                          nullptr);
  }
  void TearDown() override { __hipUnregisterFatBinary(handle_); }

  /// Runs `body(thread's number)` on as many threads as the parameter says.
  template <class Body>
  static void run(Body body) {
    std::vector<std::thread> threads;
    for (int i = 0; i < GetParam(); ++i) threads.emplace_back(body, i);
    for (std::thread& thread : threads) thread.join();
  }

  Bytes code_object_;
  FatBinaryWrapper wrapper_{};
  void** handle_ = nullptr;
};

TEST_P(ThreadsProgram, HaveStreamsOfTheirOwn) {
  run([](int number) {
    Work work;
    work.make();
    for (std::uint32_t round = 0; round < kRounds; ++round) {
      const std::uint32_t value = static_cast<std::uint32_t>(number) * 1000 + round;
      work.enqueue(value);
      expect_success(hipEventSynchronize(work.done));
      for (std::uint32_t i = 0; i < Work::kCount; ++i) ASSERT_EQ(work.host()[i], value << 1);
    }
    EXPECT_EQ(work.calls, kRounds);
    work.end();
  });
}

TEST_P(ThreadsProgram, WaitForEachOthersEvents) {
  std::vector<Work> works(static_cast<std::size_t>(GetParam()));
  for (Work& work : works) work.make();
  run([&works](int number) {
    const auto index = static_cast<std::size_t>(number);
    Work& mine = works[index];
    const Work& next = works[(index + 1) % works.size()];
    for (std::uint32_t round = 0; round < kRounds; ++round) {
      mine.enqueue(round);
      expect_success(hipStreamWaitEvent(mine.stream, next.done, 0));
      static_cast<void>(hipStreamQuery(next.stream));
      if (round % 8 == 0) expect_success(hipStreamSynchronize(mine.stream));
    }
  });
  expect_success(hipDeviceSynchronize());
  for (Work& work : works) {
    EXPECT_EQ(work.calls, kRounds);
    EXPECT_EQ(work.host()[0], static_cast<std::uint32_t>(kRounds - 1) << 1);
    work.end();
  }
}

TEST_P(ThreadsProgram, ShareTheDefaultStream) {
  std::atomic<int> calls = 0;
  run([&calls](int) {
    for (int round = 0; round < kRounds; ++round) {
      void* words = nullptr;
      expect_success(hipMalloc(&words, 256));
      expect_success(hipMemset(words, round, 256));
      expect_success(hipLaunchHostFunc(
          nullptr, [](void* calls) { ++*static_cast<std::atomic<int>*>(calls); }, &calls));
      std::uint8_t read = 0;
      expect_success(hipMemcpy(&read, words, 1, kMemcpyDeviceToHost));
      EXPECT_EQ(read, round);
      expect_success(hipFree(words));
    }
  });
  expect_success(hipDeviceSynchronize());
  EXPECT_EQ(calls, GetParam() * kRounds);
}

INSTANTIATE_TEST_SUITE_P(Of, ThreadsProgram, testing::Values(2, 16));

}  // namespace
}  // namespace compass::hip
