// SPDX-License-Identifier: MIT
#include "driverless/runtime/modules.h"

namespace compass {

hip::Module Modules::add(LoadedCode code, int device_ordinal) {
  return modules_.add({.code = std::move(code), .device_ordinal = device_ordinal, .functions = {}});
}

bool Modules::remove(hip::Module module) {
  const ModuleState* const state = modules_.find(module);
  if (state == nullptr) return false;
  for (const auto& [name, function] : state->functions) functions_.remove(function);
  return modules_.remove(module);
}

hip::Function Modules::function_in(ModuleState& module, const char* name) {
  if (const auto at = module.functions.find(name); at != module.functions.end()) return at->second;
  std::shared_ptr<const LoadedKernel> kernel = find_kernel(module.code, name);
  if (kernel == nullptr) return nullptr;
  const hip::Function function =
      functions_.add({.kernel = std::move(kernel), .device_ordinal = module.device_ordinal});
  module.functions.emplace(name, function);
  return function;
}

hip::Function Modules::function_of(const void* symbol, const FunctionState& state) {
  hip::Function& function = by_symbol_[{symbol, state.device_ordinal}];
  const FunctionState* const known = functions_.find(function);
  // The code that had the symbol before may have ended.
  if (known != nullptr && known->kernel == state.kernel) return function;
  functions_.remove(function);
  return function = functions_.add(state);
}

}  // namespace compass
