// SPDX-License-Identifier: MIT
#include "ir/names.h"

#include <gtest/gtest.h>

namespace compass {
namespace {

TEST(ShortKernelName, DropsReturnTypeAndParameters) {
  EXPECT_EQ(short_kernel_name("axpy(float*, float, int)"), "axpy");
  EXPECT_EQ(short_kernel_name("void gemm<128, (Mode)1>(float const*, int (*)(int))"),
            "gemm<128, (Mode)1>");
  EXPECT_EQ(short_kernel_name("void (anonymous namespace)::f<int>(int*)"),
            "(anonymous namespace)::f<int>");
  EXPECT_EQ(short_kernel_name("rms_norm"), "rms_norm");
  EXPECT_EQ(short_kernel_name("odd)"), "odd)");
  EXPECT_EQ(short_kernel_name("()"), "()");
  EXPECT_EQ(short_kernel_name(""), "");
}

template <class T>
std::string scalar(T value) {
  return scalar_text({reinterpret_cast<const std::byte*>(&value), sizeof value});
}

TEST(ScalarText, GoesBySize) {
  EXPECT_EQ(scalar(std::uint8_t{255}), "255");
  EXPECT_EQ(scalar(std::uint16_t{0x3f80}), "0x3f80");
  EXPECT_EQ(scalar(std::int32_t{256}), "256");
  EXPECT_EQ(scalar(std::int32_t{-1}), "-1");
  EXPECT_EQ(scalar(1e-5f), "0x3727c5ac");
  EXPECT_EQ(scalar(std::int32_t{0x00ffffff}), "16777215");
  EXPECT_EQ(scalar(std::int32_t{0x01000000}), "0x01000000");
  EXPECT_EQ(scalar(std::int64_t{4096}), "4096");
  EXPECT_EQ(scalar(1.0), "0x3ff0000000000000");
  EXPECT_EQ(scalar(std::array<char, 12>{}), "opaque 12 bytes");
}

TEST(ArgumentName, SaysWhereInsideAnArgument) {
  Kernel kernel;
  kernel.arguments = {{"x", "", ArgumentKind::kGlobalBuffer, 0, 8},
                      {"", "", ArgumentKind::kByValue, 8, 24}};
  EXPECT_EQ(argument_name(kernel, 0), "x");
  EXPECT_EQ(argument_name(kernel, 8), "arg1");
  EXPECT_EQ(argument_name(kernel, 16), "arg1[+8]");
  EXPECT_EQ(argument_name(kernel, 99), "kernarg[+99]");
}

Kernel kernel_called(std::uint32_t id, const std::string& canonical) {
  Kernel kernel;
  kernel.id = {id};
  kernel.canonical = canonical;
  kernel.arguments = {{"x", "", ArgumentKind::kGlobalBuffer, 0, 8}};
  return kernel;
}

TEST(Names, TellsOverloadsAndRepeatsApart) {
  Recording recording;
  recording.kernels = {kernel_called(1, "f(int)"), kernel_called(2, "f(float)"),
                       kernel_called(3, "g(int)"), kernel_called(4, "g(int)"),
                       kernel_called(5, "g(int)")};
  const Names names(recording);
  EXPECT_EQ(names.kernel({1}), "f(int)");
  EXPECT_EQ(names.kernel({2}), "f(float)");
  EXPECT_EQ(names.kernel({3}), "g");
  EXPECT_EQ(names.kernel({4}), "g#2");
  EXPECT_EQ(names.kernel({5}), "g#3");
}

TEST(Names, NamesBuffersByNameThenUseThenOrdinal) {
  Recording recording;
  recording.kernels = {kernel_called(1, "f(int)")};
  for (std::uint32_t id = 1; id <= 6; ++id) {
    Allocation allocation;
    allocation.id = {id};
    if (id == 1 || id == 2) allocation.info.name = "kv";
    if (id == 6) allocation.kind = AllocationKind::kPinnedHost;
    recording.allocations.push_back(allocation);
  }
  Launch launch;
  launch.id = {1};
  launch.kernel = {1};
  launch.arguments = {{0, 8, true, {{3}, 16}, {}}};
  recording.launches = {launch};
  Record record;
  record.body = LaunchKernel{{1}};
  recording.records = {record};
  const Names names(recording);
  EXPECT_EQ(names.buffer({1}), "kv");
  EXPECT_EQ(names.buffer({2}), "kv#2");
  EXPECT_EQ(names.buffer({3}), "f.x");
  EXPECT_EQ(names.buffer({4}), "device.0");
  EXPECT_EQ(names.buffer({5}), "device.1");
  EXPECT_EQ(names.buffer({6}), "pinned.0");
  EXPECT_EQ(names.label({3}), "f.x (allocation 3)");
  EXPECT_EQ(names.place({{3}, 8}, "host"), "f.x[+8]");
  EXPECT_EQ(names.place({{}, 8}, "host"), "host");
  EXPECT_EQ(names.place({}, "host"), "null");
}

}  // namespace
}  // namespace compass
