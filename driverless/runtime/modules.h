// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include "driverless/runtime/code_loader.h"
#include "driverless/runtime/handle_registry.h"
#include "ir/hip/module_abi.h"

namespace compass {

/// A code object that the program loaded itself, on one device.
struct ModuleState {
  LoadedCode code;
  int device_ordinal = 0;
  std::map<std::string, hip::Function, std::less<>> functions;  ///< that were asked for
};

/// A kernel behind a hipFunction_t: of a module, or one that the program was compiled with.
struct FunctionState {
  std::shared_ptr<const LoadedKernel> kernel;
  int device_ordinal = 0;
};

/// What programs load at run time. Threads: one at a time.
class Modules {
 public:
  hip::Module add(LoadedCode code, int device_ordinal);
  /// Null if there is no such module. Valid until it is removed.
  ModuleState* find(hip::Module module) { return modules_.find(module); }
  /// Its functions end with it; work that was given before keeps its code. False if there is none.
  bool remove(hip::Module module);

  /// The function called `name`, the same each time; null if the module has none.
  hip::Function function_in(ModuleState& module, const char* name);
  /// The function of a kernel that the host code knows by `symbol`.
  hip::Function function_of(const void* symbol, const FunctionState& state);
  /// Null if there is no such function.
  const FunctionState* find(hip::Function function) { return functions_.find(function); }

 private:
  HandleRegistry<hip::Module, ModuleState> modules_{0x5400'0000'0010};
  HandleRegistry<hip::Function, FunctionState> functions_{0x5500'0000'0010};
  std::map<std::pair<const void*, int>, hip::Function> by_symbol_;  // and device ordinal
};

}  // namespace compass
