// SPDX-License-Identifier: MIT

// A program that loads code itself, and reaches its variables. It is right whenever asynchronous
// work runs.

#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <fstream>
#include <numeric>

#include "driverless/runtime/api.h"
#include "ir/code_object/test_inputs.h"

namespace compass::hip {
namespace {

Bytes modules() { return read_test_input("COMPASS_MODULES"); }

class ModuleProgram : public testing::Test {
 protected:
  using Words = std::array<std::uint32_t, 64>;

  void SetUp() override {
    ASSERT_EQ(hipModuleLoadData(&module_, image_.data()), kSuccess);
    ASSERT_EQ(hipMalloc(&words_, sizeof(Words)), kSuccess);
    ASSERT_EQ(hipStreamCreate(&stream_), kSuccess);
  }
  void TearDown() override {
    EXPECT_EQ(hipStreamDestroy(stream_), kSuccess);
    EXPECT_EQ(hipFree(words_), kSuccess);
    EXPECT_EQ(hipModuleUnload(module_), kSuccess);
  }

  Function function(const char* name) {
    Function found = nullptr;
    EXPECT_EQ(hipModuleGetFunction(&found, module_, name), kSuccess) << name;
    return found;
  }
  Words words() {
    Words words{};
    EXPECT_EQ(hipMemcpy(words.data(), words_, sizeof words, kMemcpyDeviceToHost), kSuccess);
    return words;
  }
  /// Launches `apply`: word i becomes bias + factors[i % 4] * i.
  Error apply(void** arguments, void** extra) {
    return hipModuleLaunchKernel(function("apply"), 1, 1, 1, 64, 1, 1, 0, stream_, arguments,
                                 extra);
  }

  const Bytes image_ = modules();
  Module module_ = nullptr;
  void* words_ = nullptr;
  Stream stream_ = nullptr;
};

TEST_F(ModuleProgram, LaunchesWithValuesOrWithPackedArguments) {
  void* values[] = {&words_};
  EXPECT_EQ(apply(values, nullptr), kSuccess);
  EXPECT_EQ(hipStreamSynchronize(stream_), kSuccess);
  EXPECT_EQ(words()[63], 100u + 4 * 63);
  EXPECT_EQ(hipMemset(words_, 0, sizeof(Words)), kSuccess);
  std::size_t size_bytes = sizeof words_;
  void* extra[] = {reinterpret_cast<void*>(1), &words_, reinterpret_cast<void*>(2), &size_bytes,
                   reinterpret_cast<void*>(3)};
  EXPECT_EQ(apply(nullptr, extra), kSuccess);
  EXPECT_EQ(hipStreamSynchronize(stream_), kSuccess);
  EXPECT_EQ(words()[63], 100u + 4 * 63);
  EXPECT_EQ(apply(values, extra), kErrorInvalidValue) << "one way or the other";
  EXPECT_EQ(apply(nullptr, nullptr), kErrorInvalidValue);
  size_bytes = 4;
  EXPECT_EQ(apply(nullptr, extra), kErrorInvalidValue) << "too short";
}

TEST_F(ModuleProgram, LaunchesWithSizesInWorkitemsAndEvents) {
  Event start = nullptr;
  Event stop = nullptr;
  ASSERT_EQ(hipEventCreate(&start), kSuccess);
  ASSERT_EQ(hipEventCreate(&stop), kSuccess);
  void* values[] = {&words_};
  EXPECT_EQ(hipExtModuleLaunchKernel(function("apply"), 64, 1, 1, 64, 1, 1, 0, stream_, values,
                                     nullptr, start, stop, 0),
            kSuccess);
  EXPECT_EQ(hipEventSynchronize(stop), kSuccess);
  float elapsed_ms = 0;
  EXPECT_EQ(hipEventElapsedTime(&elapsed_ms, start, stop), kSuccess);
  EXPECT_GT(elapsed_ms, 0);
  EXPECT_EQ(words()[1], 102u);
  EXPECT_EQ(hipHccModuleLaunchKernel(function("apply"), 64, 1, 1, 1024, 1, 1, 0, stream_, values,
                                     nullptr, nullptr, nullptr),
            kSuccess)
      << "a workgroup is no larger than the grid";
  EXPECT_EQ(hipHccModuleLaunchKernel(function("apply"), 96, 1, 1, 64, 1, 1, 0, stream_, values,
                                     nullptr, nullptr, nullptr),
            kErrorInvalidValue)
      << "workgroups are whole";
  EXPECT_EQ(hipEventDestroy(start), kSuccess);
  EXPECT_EQ(hipExtModuleLaunchKernel(function("apply"), 64, 1, 1, 64, 1, 1, 0, stream_, values,
                                     nullptr, start, stop, 0),
            kErrorInvalidHandle)
      << "an event that was destroyed";
  EXPECT_EQ(hipEventDestroy(stop), kSuccess);
}

TEST_F(ModuleProgram, ChangesVariables) {
  void* factors = nullptr;
  std::size_t size_bytes = 0;
  ASSERT_EQ(hipModuleGetGlobal(&factors, &size_bytes, module_, "factors"), kSuccess);
  EXPECT_EQ(size_bytes, 16u);
  EXPECT_EQ(hipMemsetD32Async(factors, 10, 4, stream_), kSuccess);
  void* values[] = {&words_};
  EXPECT_EQ(apply(values, nullptr), kSuccess);
  EXPECT_EQ(hipStreamSynchronize(stream_), kSuccess);
  EXPECT_EQ(words()[5], 150u);
  EXPECT_EQ(hipModuleGetGlobal(nullptr, &size_bytes, module_, "bias"), kSuccess);
  EXPECT_EQ(size_bytes, 4u);
  EXPECT_EQ(hipModuleGetGlobal(&factors, nullptr, module_, "apply.kd"), kErrorNotFound);
  EXPECT_EQ(hipModuleGetGlobal(&factors, nullptr, module_, "absent"), kErrorNotFound);
  EXPECT_EQ(hipModuleGetGlobal(&factors, nullptr, module_, nullptr), kErrorInvalidValue);
}

TEST_F(ModuleProgram, FindsItsKernels) {
  EXPECT_EQ(function("apply"), function("apply"));
  EXPECT_STREQ(hipKernelNameRef(function("apply")), "apply");
  Function absent = nullptr;
  EXPECT_EQ(hipModuleGetFunction(&absent, module_, "absent"), kErrorNotFound);
  EXPECT_EQ(hipModuleGetFunction(&absent, module_, ""), kErrorNotFound);
  EXPECT_EQ(hipModuleGetFunction(&absent, module_, nullptr), kErrorInvalidValue);
  EXPECT_EQ(hipModuleGetFunction(nullptr, module_, "apply"), kErrorInvalidValue);
  EXPECT_EQ(hipModuleGetFunction(&absent, nullptr, "apply"), kErrorInvalidHandle);
  unsigned count = 0;
  EXPECT_EQ(hipModuleGetFunctionCount(&count, module_), kSuccess);
  EXPECT_EQ(count, 4u);
}

TEST_F(ModuleProgram, WorkOutlivesItsModule) {
  Module other = nullptr;
  Function apply = nullptr;
  ASSERT_EQ(hipModuleLoadDataEx(&other, image_.data(), 0, nullptr, nullptr), kSuccess);
  ASSERT_EQ(hipModuleGetFunction(&apply, other, "apply"), kSuccess);
  void* values[] = {&words_};
  EXPECT_EQ(hipModuleLaunchKernel(apply, 1, 1, 1, 64, 1, 1, 0, stream_, values, nullptr), kSuccess);
  EXPECT_EQ(hipModuleUnload(other), kSuccess);
  EXPECT_EQ(hipModuleLaunchKernel(apply, 1, 1, 1, 64, 1, 1, 0, stream_, values, nullptr),
            kErrorInvalidHandle);
  EXPECT_EQ(hipModuleUnload(other), kErrorInvalidHandle);
  EXPECT_EQ(hipStreamSynchronize(stream_), kSuccess);
  EXPECT_EQ(words()[2], 106u);
}

TEST_F(ModuleProgram, LoadsFilesAndLibraries) {
  const std::string path = "/tmp/compass_module_" + std::to_string(::getpid());
  Module loaded = nullptr;
  EXPECT_EQ(hipModuleLoad(&loaded, path.c_str()), kErrorFileNotFound);
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char*>(image_.data()),
             static_cast<std::streamsize>(image_.size()));
  EXPECT_EQ(hipModuleLoad(&loaded, path.c_str()), kSuccess);
  EXPECT_EQ(hipModuleUnload(loaded), kSuccess);
  Library library = nullptr;
  ASSERT_EQ(
      hipLibraryLoadFromFile(&library, path.c_str(), nullptr, nullptr, 0, nullptr, nullptr, 0),
      kSuccess);
  Function kernel = nullptr;
  unsigned count = 0;
  EXPECT_EQ(hipLibraryGetKernel(&kernel, library, "apply"), kSuccess);
  EXPECT_EQ(hipLibraryGetKernelCount(&count, library), kSuccess);
  EXPECT_EQ(count, 4u);
  void* values[] = {&words_};
  EXPECT_EQ(hipLaunchKernel(kernel, {1, 1, 1}, {64, 1, 1}, values, 0, stream_), kSuccess);
  EXPECT_EQ(hipLibraryUnload(library), kSuccess);
  EXPECT_EQ(hipLaunchKernel(kernel, {1, 1, 1}, {64, 1, 1}, values, 0, stream_),
            kErrorInvalidDeviceFunction);
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char*>(image_.data()),
             static_cast<std::streamsize>(image_.size() / 2));
  EXPECT_EQ(hipModuleLoad(&loaded, path.c_str()), kErrorInvalidImage) << "half a file";
  std::ofstream(path, std::ios::binary).write("no code", 7);
  EXPECT_EQ(hipModuleLoad(&loaded, path.c_str()), kErrorInvalidImage);
  EXPECT_EQ(std::remove(path.c_str()), 0);
}

TEST(ModuleLoads, AreChecked) {
  Module module = nullptr;
  const Bytes image = modules();
  const Bytes other = two_kernels_gfx942();
  EXPECT_EQ(hipModuleLoadData(nullptr, image.data()), kErrorInvalidValue);
  EXPECT_EQ(hipModuleLoadData(&module, nullptr), kErrorInvalidValue);
  EXPECT_EQ(hipModuleLoad(&module, nullptr), kErrorInvalidValue);
  EXPECT_EQ(hipModuleLoadData(&module, other.data()), kErrorNoBinaryForGpu);
  const Bytes broken(128, std::byte{0x7f});
  EXPECT_EQ(hipModuleLoadData(&module, broken.data()), kErrorInvalidImage);
  EXPECT_EQ(hipModuleUnload(nullptr), kErrorInvalidHandle);
}

// What the host code of kernels and variables is: only the addresses count.
constexpr char kApply = 0;
constexpr char kCountUp = 0;
constexpr char kBias = 0;
constexpr char kAbsent = 0;

/// A program that was compiled with the module's code.
class RegisteredProgram : public ModuleProgram {
 protected:
  RegisteredProgram() {
    wrapper_ = {kFatBinaryMagic, 1, image_.data(), nullptr};
    handle_ = __hipRegisterFatBinary(&wrapper_);
    char bias[] = "bias";
    char absent[] = "absent";
    add(&kApply, "apply");
    add(&kCountUp, "count_up");
    __hipRegisterVar(handle_, const_cast<char*>(&kBias), bias, bias, 0, 4, 0, 0);
    __hipRegisterVar(handle_, const_cast<char*>(&kAbsent), absent, absent, 0, 4, 0, 0);
    __hipRegisterManagedVar(handle_, reinterpret_cast<void**>(&managed_), storage_.data(),
                            "managed_words", sizeof storage_, 4);
  }
  ~RegisteredProgram() override { __hipUnregisterFatBinary(handle_); }

  void add(const void* host_function, const char* kernel) {
    __hipRegisterFunction(handle_, host_function, nullptr, kernel, 0, nullptr, nullptr, nullptr,
                          nullptr, nullptr);
  }

  FatBinaryWrapper wrapper_{};
  void** handle_ = nullptr;
  Words storage_{};
  std::uint32_t* managed_ = nullptr;
};

TEST_F(RegisteredProgram, CopiesToAndFromSymbols) {
  std::uint32_t value = 0;
  EXPECT_EQ(hipMemcpyFromSymbol(&value, &kBias, 4, 0, kMemcpyDeviceToHost), kSuccess);
  EXPECT_EQ(value, 100u);
  const std::uint32_t bias = 5;
  EXPECT_EQ(hipMemcpyToSymbolAsync(&kBias, &bias, 4, 0, kMemcpyHostToDevice, stream_), kSuccess);
  void* values[] = {&words_};
  EXPECT_EQ(hipLaunchKernel(&kApply, {1, 1, 1}, {64, 1, 1}, values, 0, stream_), kSuccess);
  EXPECT_EQ(hipMemcpyFromSymbolAsync(&value, &kBias, 4, 0, kMemcpyDeviceToHost, stream_), kSuccess);
  EXPECT_EQ(hipStreamSynchronize(stream_), kSuccess);
  EXPECT_EQ(value, 5u);
  EXPECT_EQ(words()[0], 5u);
  std::size_t size_bytes = 0;
  void* address = nullptr;
  EXPECT_EQ(hipGetSymbolSize(&size_bytes, &kBias), kSuccess);
  EXPECT_EQ(size_bytes, 4u);
  EXPECT_EQ(hipGetSymbolAddress(&address, &kBias), kSuccess);
  EXPECT_EQ(hipMemcpy(&value, address, 4, kMemcpyDeviceToHost), kSuccess);
  EXPECT_EQ(value, 5u);
}

TEST_F(RegisteredProgram, CopiesOfSymbolsAreChecked) {
  std::uint32_t value = 0;
  void* address = nullptr;
  EXPECT_EQ(hipMemcpyToSymbol(&kBias, &value, 8, 0, kMemcpyHostToDevice), kErrorInvalidValue);
  EXPECT_EQ(hipMemcpyToSymbol(&kBias, &value, 4, 4, kMemcpyHostToDevice), kErrorInvalidValue);
  EXPECT_EQ(hipMemcpyToSymbol(&kBias, &value, 4, ~std::size_t{0}, kMemcpyHostToDevice),
            kErrorInvalidValue);
  EXPECT_EQ(hipMemcpyToSymbol(&kBias, &value, 4, 0, kMemcpyDeviceToHost),
            kErrorInvalidMemcpyDirection);
  EXPECT_EQ(hipMemcpyFromSymbol(&value, &kBias, 4, 0, kMemcpyHostToDevice),
            kErrorInvalidMemcpyDirection);
  EXPECT_EQ(hipMemcpyToSymbol(&value, &value, 4, 0, kMemcpyHostToDevice), kErrorInvalidSymbol);
  EXPECT_EQ(hipMemcpyToSymbol(nullptr, &value, 4, 0, kMemcpyHostToDevice), kErrorInvalidSymbol);
  EXPECT_EQ(hipGetSymbolAddress(&address, &kAbsent), kErrorInvalidSymbol) << "not in the code";
  EXPECT_EQ(hipGetSymbolAddress(nullptr, &kBias), kErrorInvalidValue);
}

TEST_F(RegisteredProgram, SharesManagedVariables) {
  ASSERT_EQ(managed_, storage_.data());
  managed_[3] = 1000;
  std::uint32_t first = 7;
  void* values[] = {&first};
  EXPECT_EQ(hipLaunchKernel(&kCountUp, {1, 1, 1}, {64, 1, 1}, values, 0, stream_), kSuccess);
  EXPECT_EQ(hipStreamSynchronize(stream_), kSuccess);
  EXPECT_EQ(managed_[3], 1010u);
  EXPECT_EQ(managed_[63], 70u);
}

TEST_F(RegisteredProgram, LaunchesTheOldWay) {
  EXPECT_EQ(hipLaunchByPtr(&kApply), kErrorMissingConfiguration);
  EXPECT_EQ(hipSetupArgument(&words_, 8, 0), kErrorMissingConfiguration);
  EXPECT_EQ(hipConfigureCall({1, 1, 1}, {64, 1, 1}, 0, stream_), kSuccess);
  EXPECT_EQ(hipSetupArgument(nullptr, 8, 0), kErrorInvalidValue);
  EXPECT_EQ(hipSetupArgument(&words_, ~std::size_t{0}, 8), kErrorInvalidValue);
  EXPECT_EQ(hipSetupArgument(&words_, 8, 0), kSuccess);
  EXPECT_EQ(hipLaunchByPtr(&kApply), kSuccess);
  EXPECT_EQ(hipStreamSynchronize(stream_), kSuccess);
  EXPECT_EQ(words()[1], 102u);
}

TEST_F(RegisteredProgram, HasFunctionsForItsSymbols) {
  Function function = nullptr;
  Function again = nullptr;
  ASSERT_EQ(hipGetFuncBySymbol(&function, &kApply), kSuccess);
  EXPECT_EQ(hipGetFuncBySymbol(&again, &kApply), kSuccess);
  EXPECT_EQ(function, again);
  EXPECT_EQ(hipGetFuncBySymbol(&again, &words_), kErrorInvalidDeviceFunction);
  EXPECT_STREQ(hipKernelNameRefByPtr(&kApply, nullptr), "apply");
  void* values[] = {&words_};
  EXPECT_EQ(hipModuleLaunchKernel(function, 1, 1, 1, 64, 1, 1, 0, stream_, values, nullptr),
            kSuccess);
  EXPECT_EQ(hipStreamSynchronize(stream_), kSuccess);
  EXPECT_EQ(words()[1], 102u);
}

TEST_F(RegisteredProgram, LaunchesWithAttributes) {
  void* values[] = {&words_};
  LaunchAttribute priority{.id = 8, .unused = 0, .bytes = {}};
  LaunchConfig config{{1, 1, 1}, {64, 1, 1}, 0, stream_, &priority, 1};
  EXPECT_EQ(hipLaunchKernelExC(&config, &kApply, values), kSuccess);
  EXPECT_EQ(hipStreamSynchronize(stream_), kSuccess);
  EXPECT_EQ(words()[1], 102u);
  config.attributes = nullptr;
  EXPECT_EQ(hipLaunchKernelExC(&config, &kApply, values), kErrorInvalidValue);
  EXPECT_EQ(hipLaunchKernelExC(nullptr, &kApply, values), kErrorInvalidConfiguration);
  EXPECT_EQ(
      hipExtLaunchKernel(&kApply, {1, 1, 1}, {64, 1, 1}, values, 0, stream_, nullptr, nullptr, 1),
      kSuccess);
  EXPECT_EQ(
      hipExtLaunchKernel(&kApply, {1, 1, 1}, {64, 1, 1}, values, 0, stream_, nullptr, nullptr, 2),
      kErrorInvalidValue);
}

}  // namespace
}  // namespace compass::hip
