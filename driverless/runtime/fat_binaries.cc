// SPDX-License-Identifier: MIT
#include "driverless/runtime/fat_binaries.h"

#include <algorithm>
#include <cstring>

#include "driverless/runtime/notice.h"
#include "ir/base/concat.h"

namespace compass {
namespace {

/// The managed variables of a fat binary become the devices' too, and the pointers to them in its
/// code are set.
void share_managed(FatBinary& binary, const LoadedCode& code, const CodeTarget& target) {
  for (ManagedVariable& variable : binary.managed) {
    const DeviceAddress base{reinterpret_cast<std::uint64_t>(variable.storage)};
    if (!variable.is_mapped) {
      const hip::Error error = target.memory.map(
          {.base = base,
           .size_bytes = variable.size_bytes,
           .host = variable.storage,
           .kind = RegionKind::kManaged,
           .id = {}},
          {.source = AllocationOrigin::Source::kVariable, .device_ordinal = target.device_ordinal});
      variable.is_mapped = error == hip::kSuccess;
    }
    const auto pointer = Agent::find_variable(*code.code_object, variable.name);
    if (!pointer || pointer->size_bytes != sizeof base.value) continue;
    std::byte* const stored = target.agent.memory().host(pointer->address, sizeof base.value);
    if (stored != nullptr) std::memcpy(stored, &base.value, sizeof base.value);
  }
}

}  // namespace

FatBinary* FatBinaries::add(const hip::FatBinaryWrapper* wrapper) {
  if (wrapper == nullptr || wrapper->magic != hip::kFatBinaryMagic || wrapper->binary == nullptr) {
    return nullptr;
  }
  binaries_.push_back(std::make_unique<FatBinary>());
  binaries_.back()->start = static_cast<const std::byte*>(wrapper->binary);
  return binaries_.back().get();
}

FatBinary* FatBinaries::find(const void* handle) const {
  const auto at = std::find_if(binaries_.begin(), binaries_.end(),
                               [handle](const auto& binary) { return binary.get() == handle; });
  return at == binaries_.end() ? nullptr : at->get();
}

void FatBinaries::remove(const FatBinary* fat_binary) {
  const auto is_of_it = [fat_binary](const auto& entry) {
    return entry.second.fat_binary == fat_binary;
  };
  std::erase_if(functions_, is_of_it);
  std::erase_if(variables_, is_of_it);
  std::erase_if(binaries_, [fat_binary](const auto& binary) { return binary.get() == fat_binary; });
}

void FatBinaries::add_function(FatBinary* fat_binary, const void* host_function,
                               std::string_view kernel) {
  functions_[host_function] = {
      .fat_binary = fat_binary, .kernel = std::string(kernel), .loaded = {}};
}

void FatBinaries::add_variable(FatBinary* fat_binary, const void* host_variable,
                               std::string_view name, std::uint64_t size_bytes) {
  variables_[host_variable] = {
      .fat_binary = fat_binary, .name = std::string(name), .size_bytes = size_bytes};
}

RegisteredFunction* FatBinaries::find_function(const void* host_function) {
  const auto at = functions_.find(host_function);
  return at == functions_.end() ? nullptr : &at->second;
}

RegisteredVariable* FatBinaries::find_variable(const void* host_variable) {
  const auto at = variables_.find(host_variable);
  return at == variables_.end() ? nullptr : &at->second;
}

const LoadedCode& load(FatBinary& binary, const CodeTarget& target) {
  const auto index = static_cast<std::size_t>(target.device_ordinal);
  if (binary.loaded.size() <= index) binary.loaded.resize(index + 1);
  LoadedCode& code = binary.loaded[index];
  if (code.was_tried()) return code;
  code = load_image(target.agent, binary.start);
  if (code.code_object != nullptr) share_managed(binary, code, target);
  return code;
}

FoundKernel find_kernel(RegisteredFunction& function, const CodeTarget& target) {
  const auto index = static_cast<std::size_t>(target.device_ordinal);
  if (function.loaded.size() <= index) function.loaded.resize(index + 1);
  std::shared_ptr<const LoadedKernel>& kernel = function.loaded[index];
  if (kernel != nullptr) return {.kernel = kernel};
  const LoadedCode& code = load(*function.fat_binary, target);
  if (code.error != hip::kSuccess) return {.kernel = nullptr, .error = code.error};
  kernel = find_kernel(code, function.kernel);
  if (kernel != nullptr) return {.kernel = kernel};
  notice_once(concat("the code object has no kernel ", function.kernel));
  return {.kernel = nullptr, .error = hip::kErrorInvalidDeviceFunction};
}

FoundVariable find_variable(const RegisteredVariable& variable, const CodeTarget& target) {
  const LoadedCode& code = load(*variable.fat_binary, target);
  if (code.error != hip::kSuccess) return {.variable = {}, .error = code.error};
  const auto found = Agent::find_variable(*code.code_object, variable.name);
  if (found) return {.variable = *found};
  notice_once(concat("the code object has no variable ", variable.name));
  return {.variable = {}, .error = hip::kErrorInvalidSymbol};
}

}  // namespace compass
