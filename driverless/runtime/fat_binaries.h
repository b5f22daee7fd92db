// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "driverless/agent.h"
#include "ir/hip/abi.h"

namespace compass {

/// A fat binary that the program registered, and what became of it on the device.
struct FatBinary {
  const std::byte* start = nullptr;
  /// Set by the first launch of one of its kernels: not to be tried again.
  bool tried = false;
  LoadedCodeObject* code_object = nullptr;
  hip::Error error = hip::kSuccess;  ///< where it was tried and not loaded
};

/// A kernel as the program's host code knows it.
struct RegisteredFunction {
  FatBinary* fat_binary = nullptr;
  std::string kernel;  ///< its name in the code object
  const LoadedKernel* loaded = nullptr;
};

/// What compiled programs register before main. Works without a device. Threads: one at a time.
class FatBinaries {
 public:
  /// Null where `wrapper` is none that HIP's compilers make.
  FatBinary* add(const hip::FatBinaryWrapper* wrapper);
  /// Null if `handle` is no fat binary that is registered.
  FatBinary* find(const void* handle) const;
  /// Forgets a fat binary and its functions.
  void remove(const FatBinary* fat_binary);

  void add_function(FatBinary* fat_binary, const void* host_function, std::string_view kernel);
  /// Null if `host_function` is not registered. Valid until its fat binary is removed.
  RegisteredFunction* find_function(const void* host_function);

 private:
  std::vector<std::unique_ptr<FatBinary>> binaries_;
  std::unordered_map<const void*, RegisteredFunction> functions_;
};

}  // namespace compass
