// SPDX-License-Identifier: MIT

// What differs between the major versions of HIP's interface. This program is linked with none of
// the libraries: it says itself which one it is.

#include "driverless/runtime/abi_major.h"

#include <gtest/gtest.h>

#include "driverless/runtime/error_state.h"

namespace compass {

static int major = 7;
int abi_major() { return major; }

namespace {

struct Abi : testing::Test {
  ~Abi() override {
    major = 7;
    static_cast<void>(take_last_error());
    static_cast<void>(take_last_result());
  }
};

TEST_F(Abi, VersionIsTheLastOfItsMajor) {
  major = 5;
  EXPECT_EQ(hip_version(), 50'700'000);
  major = 6;
  EXPECT_EQ(hip_version(), 60'400'000);
  major = 7;
  EXPECT_EQ(hip_version(), 70'200'000);
}

TEST_F(Abi, MemoryTypesOfHip5StartAtHost) {
  major = 5;
  EXPECT_EQ(number_of(MemoryType::kHost), 0);
  EXPECT_EQ(number_of(MemoryType::kDevice), 1);
  EXPECT_EQ(number_of(MemoryType::kManaged), 4);
  EXPECT_EQ(number_of(MemoryType::kUnregistered), std::nullopt);
  EXPECT_EQ(memory_type_of(1), MemoryType::kDevice);
  EXPECT_EQ(memory_type_of(10), std::nullopt);
}

TEST_F(Abi, MemoryTypesSinceHip6StartAtUnregistered) {
  for (major = 6; major <= 7; ++major) {
    EXPECT_EQ(number_of(MemoryType::kUnregistered), 0);
    EXPECT_EQ(number_of(MemoryType::kHost), 1);
    EXPECT_EQ(number_of(MemoryType::kDevice), 2);
    EXPECT_EQ(number_of(MemoryType::kManaged), 3);
    EXPECT_EQ(memory_type_of(1), MemoryType::kHost);
    EXPECT_EQ(memory_type_of(11), MemoryType::kUnified);
    EXPECT_EQ(memory_type_of(4), std::nullopt);
  }
}

TEST_F(Abi, LastErrorOutlivesSuccessFromHip7On) {
  for (const auto& [which, expected] :
       {std::pair(6, hip::kSuccess), std::pair(7, hip::kErrorOutOfMemory)}) {
    major = which;
    EXPECT_EQ(note_error(hip::kErrorOutOfMemory), hip::kErrorOutOfMemory);
    EXPECT_EQ(note_error(hip::kSuccess), hip::kSuccess);
    EXPECT_EQ(take_last_error(), expected) << "HIP " << which;
    EXPECT_EQ(take_last_error(), hip::kSuccess);
  }
}

TEST_F(Abi, NotReadyIsNoErrorFromHip7On) {
  for (const auto& [which, expected] :
       {std::pair(5, hip::kErrorNotReady), std::pair(7, hip::kSuccess)}) {
    major = which;
    EXPECT_EQ(note_error(hip::kErrorNotReady), hip::kErrorNotReady);
    EXPECT_EQ(last_error(), expected) << "HIP " << which;
    EXPECT_EQ(take_last_error(), expected) << "peeking clears nothing";
  }
}

TEST_F(Abi, LastResultIsThatOfTheLastCallInEach) {
  for (major = 5; major <= 7; ++major) {
    static_cast<void>(note_error(hip::kErrorOutOfMemory));
    EXPECT_EQ(take_last_result(), hip::kErrorOutOfMemory);
    EXPECT_EQ(take_last_result(), hip::kSuccess);
    static_cast<void>(note_error(hip::kErrorOutOfMemory));
    static_cast<void>(note_error(hip::kSuccess));
    EXPECT_EQ(take_last_result(), hip::kSuccess);
  }
}

}  // namespace
}  // namespace compass
