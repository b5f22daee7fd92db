// SPDX-License-Identifier: MIT

// A program whose workgroups wait for one another, and asks what a device holds at once.

#include <gtest/gtest.h>

#include <vector>

#include "driverless/runtime/api.h"
#include "ir/code_object/test_inputs.h"

namespace compass::hip {
namespace {

constexpr std::uint32_t kMembers = 300;  // more than the device has compute units

class CooperativeProgram : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(hipModuleLoadData(&module_, image_.data()), kSuccess);
    for (void** buffer : {&words_, &out_, &arrived_}) {
      ASSERT_EQ(hipMalloc(buffer, kMembers * 4), kSuccess);
      ASSERT_EQ(hipMemset(*buffer, 0, kMembers * 4), kSuccess);
    }
  }
  void TearDown() override {
    for (void* buffer : {words_, out_, arrived_}) EXPECT_EQ(hipFree(buffer), kSuccess);
    EXPECT_EQ(hipModuleUnload(module_), kSuccess);
  }

  Function function(const char* name) {
    Function found = nullptr;
    EXPECT_EQ(hipModuleGetFunction(&found, module_, name), kSuccess) << name;
    return found;
  }
  std::vector<std::uint32_t> out() {
    std::vector<std::uint32_t> words(kMembers);
    EXPECT_EQ(hipMemcpy(words.data(), out_, kMembers * 4, kMemcpyDeviceToHost), kSuccess);
    return words;
  }

  const Bytes image_ = read_test_input("COMPASS_MODULES");
  Module module_ = nullptr;
  void* words_ = nullptr;
  void* out_ = nullptr;
  void* arrived_ = nullptr;
};

TEST_F(CooperativeProgram, WorkgroupsWaitForOneAnotherInMemory) {
  std::uint32_t members = kMembers;
  void* arguments[] = {&words_, &out_, &arrived_, &members};
  EXPECT_EQ(hipModuleLaunchCooperativeKernel(function("exchange"), kMembers, 1, 1, 64, 1, 1, 0,
                                             nullptr, arguments),
            kSuccess);
  const std::vector<std::uint32_t> found = out();
  EXPECT_EQ(found[0], 3u);
  EXPECT_EQ(found[kMembers - 2], (kMembers - 1) * 3);
  EXPECT_EQ(found[kMembers - 1], 0u);
}

TEST_F(CooperativeProgram, TheRuntimeGivesAGridItsCounters) {
  void* arguments[] = {&words_, &out_};
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(hipLaunchCooperativeKernel(function("exchange_in_grid"), {kMembers, 1, 1}, {64, 1, 1},
                                         arguments, 0, nullptr),
              kSuccess);
  }
  EXPECT_EQ(out()[7], 40u);
  LaunchAttribute cooperative{.id = kLaunchAttributeCooperative, .unused = 0, .cooperative = 1};
  DriverLaunchConfig config{{2, 1, 1}, {64, 1, 1}, 0, nullptr, &cooperative, 1};
  EXPECT_EQ(hipDrvLaunchKernelEx(&config, function("exchange_in_grid"), arguments, nullptr),
            kSuccess);
  EXPECT_EQ(out()[0], 5u);
  cooperative.cooperative = 0;
  EXPECT_EQ(hipDrvLaunchKernelEx(&config, function("exchange_in_grid"), arguments, nullptr),
            kSuccess);
  EXPECT_EQ(out()[0], 7777u) << "not cooperative: no counters";
}

TEST_F(CooperativeProgram, AGridMustFit) {
  int each = 0;
  const Function exchange = function("exchange");
  ASSERT_EQ(hipModuleOccupancyMaxActiveBlocksPerMultiprocessor(&each, exchange, 1024, 0), kSuccess);
  EXPECT_EQ(each, 2) << "32 waves";
  std::uint32_t members = 0;
  void* arguments[] = {&words_, &out_, &arrived_, &members};
  EXPECT_EQ(
      hipModuleLaunchCooperativeKernel(exchange, 513, 1, 1, 1024, 1, 1, 0, nullptr, arguments),
      kErrorCooperativeLaunchTooLarge);
  EXPECT_EQ(hipLaunchCooperativeKernel(exchange, {1u << 21, 1u << 21, 1u << 21}, {1, 1, 1},
                                       arguments, 0, nullptr),
            kErrorCooperativeLaunchTooLarge);
  EXPECT_EQ(hipModuleLaunchCooperativeKernel(exchange, 257, 1, 1, 64, 1, 1, 160 * 1024, nullptr,
                                             arguments),
            kErrorCooperativeLaunchTooLarge)
      << "one workgroup has all the LDS of a compute unit";
  LaunchParams launch{exchange, {1, 1, 1}, {1, 1, 1}, arguments, 0, nullptr};
  EXPECT_EQ(hipLaunchCooperativeKernelMultiDevice(&launch, 2, 0), kErrorNotSupported);
  EXPECT_EQ(hipLaunchCooperativeKernelMultiDevice(nullptr, 1, 0), kErrorInvalidValue);
}

TEST_F(CooperativeProgram, AsksForOccupancy) {
  const Function exchange = function("exchange");
  int each = 0;
  int grid = 0;
  int workitems = 0;
  EXPECT_EQ(hipOccupancyMaxActiveBlocksPerMultiprocessor(&each, exchange, 65, 0), kSuccess);
  EXPECT_EQ(each, 16) << "two waves each";
  EXPECT_EQ(
      hipModuleOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&each, exchange, 64, 50'000, 0),
      kSuccess);
  EXPECT_EQ(each, 3) << "of 160 KiB of LDS";
  EXPECT_EQ(hipOccupancyMaxPotentialBlockSize(&grid, &workitems, exchange, 0, 0), kSuccess);
  EXPECT_EQ(workitems, 1024);
  EXPECT_EQ(grid, 512);
  EXPECT_EQ(hipModuleOccupancyMaxPotentialBlockSize(&grid, &workitems, exchange, 0, 256), kSuccess);
  EXPECT_EQ(workitems, 256);
  EXPECT_EQ(grid, 2048);
  std::size_t lds_bytes = 0;
  EXPECT_EQ(hipOccupancyAvailableDynamicSMemPerBlock(&lds_bytes, exchange, 4, 64), kSuccess);
  EXPECT_EQ(lds_bytes, 40960u);
  EXPECT_EQ(hipOccupancyMaxActiveBlocksPerMultiprocessor(nullptr, exchange, 64, 0),
            kErrorInvalidValue);
  EXPECT_EQ(hipOccupancyMaxActiveBlocksPerMultiprocessor(&each, exchange, 0, 0),
            kErrorInvalidValue);
  EXPECT_EQ(hipOccupancyMaxActiveBlocksPerMultiprocessor(&each, &each, 64, 0),
            kErrorInvalidDeviceFunction);
  EXPECT_EQ(hipOccupancyMaxActiveBlocksPerMultiprocessor(&each, exchange, 1025, 0), kSuccess);
  EXPECT_EQ(each, 0) << "too large a workgroup";
}

TEST_F(CooperativeProgram, AsksForAttributes) {
  const Function exchange = function("exchange");
  FunctionAttributes attributes{};
  ASSERT_EQ(hipFuncGetAttributes(&attributes, exchange), kSuccess);
  EXPECT_EQ(attributes.max_workgroup_workitems, 1024);
  EXPECT_EQ(attributes.max_dynamic_lds_bytes, 160 * 1024);
  EXPECT_EQ(attributes.binary_version, 95);
  EXPECT_GT(attributes.registers, 0);
  int value = 0;
  EXPECT_EQ(hipFuncGetAttribute(&value, kFunctionNumRegs, exchange), kSuccess);
  EXPECT_EQ(value, attributes.registers);
  EXPECT_EQ(hipFuncGetAttribute(&value, static_cast<FunctionAttribute>(10), exchange),
            kErrorInvalidValue);
  EXPECT_EQ(hipFuncGetAttributes(&attributes, nullptr), kErrorInvalidDeviceFunction);
  EXPECT_EQ(hipFuncGetAttributes(nullptr, exchange), kErrorInvalidValue);
  EXPECT_EQ(hipFuncSetAttribute(exchange, 8, 160 * 1024), kSuccess);
  EXPECT_EQ(hipFuncSetAttribute(exchange, 8, 160 * 1024 + 1), kErrorInvalidValue);
  EXPECT_EQ(hipFuncSetAttribute(exchange, 3, 0), kErrorInvalidValue);
  EXPECT_EQ(hipFuncSetCacheConfig(exchange, 2), kSuccess);
  EXPECT_EQ(hipFuncSetCacheConfig(exchange, 4), kErrorInvalidValue);
  EXPECT_EQ(hipFuncSetSharedMemConfig(exchange, 2), kSuccess);
  EXPECT_EQ(hipFuncSetSharedMemConfig(exchange, 3), kErrorInvalidValue);
}

}  // namespace
}  // namespace compass::hip
