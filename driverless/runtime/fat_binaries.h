// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "driverless/runtime/code_loader.h"
#include "driverless/runtime/device_memory.h"
#include "ir/hip/abi.h"

namespace compass {

/// A kernel as the program's host code knows it.
struct RegisteredFunction {
  struct FatBinary* fat_binary = nullptr;
  std::string kernel;                                       ///< its name in the code object
  std::vector<std::shared_ptr<const LoadedKernel>> loaded;  ///< by device ordinal; null: not yet
};

/// A `__device__` variable as the program's host code knows it.
struct RegisteredVariable {
  struct FatBinary* fat_binary = nullptr;
  std::string name;  ///< in the code object
  std::uint64_t size_bytes = 0;
};

/// A `__managed__` variable: the host's bytes, which kernels reach through a pointer of that name.
struct ManagedVariable {
  std::string name;  ///< of the pointer in the code object
  std::byte* storage = nullptr;
  std::uint64_t size_bytes = 0;
  bool is_mapped = false;  ///< kernels can address it
};

/// A fat binary that the program registered, and what became of it on each device.
struct FatBinary {
  const std::byte* start = nullptr;
  std::vector<ManagedVariable> managed;
  std::vector<LoadedCode> loaded;  ///< by device ordinal; not tried: no entry, or neither set
};

/// What compiled programs register before main. Works without a device. Threads: one at a time.
class FatBinaries {
 public:
  /// Null where `wrapper` is none that HIP's compilers make.
  FatBinary* add(const hip::FatBinaryWrapper* wrapper);
  /// Null if `handle` is no fat binary that is registered.
  FatBinary* find(const void* handle) const;
  /// Forgets a fat binary with its functions and variables; kernels that run keep their code.
  void remove(const FatBinary* fat_binary);

  void add_function(FatBinary* fat_binary, const void* host_function, std::string_view kernel);
  void add_variable(FatBinary* fat_binary, const void* host_variable, std::string_view name,
                    std::uint64_t size_bytes);
  /// Null if it is not registered. Valid until its fat binary is removed.
  RegisteredFunction* find_function(const void* host_function);
  RegisteredVariable* find_variable(const void* host_variable);

 private:
  std::vector<std::unique_ptr<FatBinary>> binaries_;
  std::unordered_map<const void*, RegisteredFunction> functions_;
  std::unordered_map<const void*, RegisteredVariable> variables_;
};

/// Where code is loaded to.
struct CodeTarget {
  Agent& agent;
  DeviceMemory& memory;
  int device_ordinal = 0;
};

/// The code of `binary` on a device, loaded by the first who asks, its managed variables with it.
const LoadedCode& load(FatBinary& binary, const CodeTarget& target);

/// The kernel behind a registered function, or why there is none.
struct FoundKernel {
  std::shared_ptr<const LoadedKernel> kernel;
  hip::Error error = hip::kSuccess;
};
FoundKernel find_kernel(RegisteredFunction& function, const CodeTarget& target);

/// A registered variable on a device, or why there is none.
struct FoundVariable {
  CodeVariable variable;
  hip::Error error = hip::kSuccess;
};
FoundVariable find_variable(const RegisteredVariable& variable, const CodeTarget& target);

}  // namespace compass
