// SPDX-License-Identifier: MIT
#pragma once

#include <gtest/gtest.h>

#include <array>
#include <numeric>
#include <utility>

#include "driverless/runtime/api.h"
#include "ir/code_object/test_inputs.h"

namespace compass::hip {

/// Registers code objects as the compiler's constructors do. For tests only.
class Registration {
 public:
  explicit Registration(Bytes code_object) : code_object_(std::move(code_object)) {
    wrapper_ = {kFatBinaryMagic, 1, code_object_.data(), nullptr};
    handle_ = __hipRegisterFatBinary(&wrapper_);
  }
  ~Registration() { __hipUnregisterFatBinary(handle_); }
  Registration(const Registration&) = delete;
  Registration& operator=(const Registration&) = delete;

  void add(const void* host_function, const char* kernel) {
    __hipRegisterFunction(handle_, host_function, nullptr, kernel, 0, nullptr, nullptr, nullptr,
                          nullptr, nullptr);
  }

 private:
  Bytes code_object_;
  FatBinaryWrapper wrapper_{};
  void** handle_;
};

// What the host code of a kernel is: only its address counts.
inline constexpr char kScaleFunction = 0;
inline constexpr char kReverseFunction = 0;

/// A program that has the kernels `scale`, which shifts each word to the left, and `reverse`, 64
/// words in device memory, and two streams. For tests only.
class TwoKernelsProgram : public testing::Test {
 protected:
  using Words = std::array<std::uint32_t, 64>;

  TwoKernelsProgram() {
    registration_.add(&kScaleFunction, "scale");
    registration_.add(&kReverseFunction, "reverse");
    EXPECT_EQ(hipMalloc(&words_, sizeof(Words)), kSuccess);
    EXPECT_EQ(hipMalloc(&other_, sizeof(Words)), kSuccess);
    set_words(1);
    EXPECT_EQ(hipStreamCreate(&stream_), kSuccess);
    EXPECT_EQ(hipStreamCreateWithFlags(&side_, kStreamNonBlocking), kSuccess);
    for (Event& event : events_) EXPECT_EQ(hipEventCreate(&event), kSuccess);
    static_cast<void>(hipGetLastError());
  }
  ~TwoKernelsProgram() override {
    for (const Event event : events_) EXPECT_EQ(hipEventDestroy(event), kSuccess);
    EXPECT_EQ(hipStreamDestroy(side_), kSuccess);
    EXPECT_EQ(hipStreamDestroy(stream_), kSuccess);
    EXPECT_EQ(hipFree(other_), kSuccess);
    EXPECT_EQ(hipFree(words_), kSuccess);
  }

  /// Word i of `words_` becomes `first` + i.
  void set_words(std::uint32_t first) {
    Words words{};
    std::iota(words.begin(), words.end(), first);
    EXPECT_EQ(hipMemcpy(words_, words.data(), sizeof words, kMemcpyHostToDevice), kSuccess);
  }
  Words words_of(const void* pointer) {
    Words words{};
    EXPECT_EQ(hipMemcpy(words.data(), pointer, sizeof words, kMemcpyDeviceToHost), kSuccess);
    return words;
  }

  /// Shifts `words_` by `shift` bits.
  Error scale(Stream stream, std::uint8_t shift = 1) {
    std::uint32_t count = 64;
    void* arguments[] = {&words_, &shift, &count};
    return hipLaunchKernel(&kScaleFunction, {1, 1, 1}, {64, 1, 1}, arguments, 0, stream);
  }
  /// `other_` becomes `words_`, the last first.
  Error reverse(Stream stream) {
    void* arguments[] = {&other_, &words_};
    return hipLaunchKernel(&kReverseFunction, {1, 1, 1}, {64, 1, 1}, arguments, 0, stream);
  }

  Registration registration_{two_kernels()};
  void* words_ = nullptr;
  void* other_ = nullptr;
  Stream stream_ = nullptr;  ///< which the legacy stream waits for
  Stream side_ = nullptr;    ///< which it does not wait for
  std::array<Event, 3> events_{};
};

}  // namespace compass::hip
