// SPDX-License-Identifier: MIT

// A program for lines_test.py: does what its argument says, and prints HIP's errors.

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>

#include "driverless/runtime/api.h"

namespace compass::hip {

extern "C" Error hipGLGetDevices();

namespace {

constexpr char kScale = 0;

/// Launches `scale` on `words` words where only half of them are allocated.
Error launch_beyond(const char* path) {
  std::ifstream file(path, std::ios::binary);
  static const std::string code_object{std::istreambuf_iterator<char>(file), {}};
  static const FatBinaryWrapper wrapper{kFatBinaryMagic, 1, code_object.data(), nullptr};
  void** const handle = __hipRegisterFatBinary(&wrapper);
  __hipRegisterFunction(handle, &kScale, nullptr, "scale", 0, nullptr, nullptr, nullptr, nullptr,
                        nullptr);
  void* words = nullptr;
  if (const Error error = hipMalloc(&words, 32 * 4); error != kSuccess) return error;
  std::uint8_t shift = 1;
  std::uint32_t count = 64;
  void* arguments[] = {&words, &shift, &count};
  static_cast<void>(hipLaunchKernel(&kScale, {}, {64, 1, 1}, arguments, 0, nullptr));
  return hipLaunchKernel(&kScale, {}, {64, 1, 1}, arguments, 0, nullptr);
}

Error run(const std::string& what) {
  int count = 0;
  if (what == "count") {
    static_cast<void>(hipGetDeviceCount(&count));
    return hipGetDeviceCount(&count);
  }
  if (what == "unimplemented") {
    static_cast<void>(hipGLGetDevices());
    return hipGLGetDevices();
  }
  return launch_beyond(what.c_str());
}

}  // namespace
}  // namespace compass::hip

int main(int, char** arguments) {
  std::printf("%d\n", static_cast<int>(compass::hip::run(arguments[1])));
  return 0;
}
