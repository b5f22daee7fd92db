// SPDX-License-Identifier: MIT
#include "driverless/runtime/fat_binaries.h"

#include <algorithm>

#include "driverless/runtime/notice.h"
#include "ir/base/concat.h"

namespace compass {

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

const LoadedCode& load(FatBinary& binary, Agent& agent, int device_ordinal) {
  const auto index = static_cast<std::size_t>(device_ordinal);
  if (binary.loaded.size() <= index) binary.loaded.resize(index + 1);
  LoadedCode& code = binary.loaded[index];
  if (!code.was_tried()) code = load_image(agent, binary.start);
  return code;
}

FoundKernel find_kernel(RegisteredFunction& function, Agent& agent, int device_ordinal) {
  const auto index = static_cast<std::size_t>(device_ordinal);
  if (function.loaded.size() <= index) function.loaded.resize(index + 1);
  std::shared_ptr<const LoadedKernel>& kernel = function.loaded[index];
  if (kernel != nullptr) return {.kernel = kernel};
  const LoadedCode& code = load(*function.fat_binary, agent, device_ordinal);
  if (code.error != hip::kSuccess) return {.error = code.error};
  kernel = find_kernel(code, function.kernel);
  if (kernel != nullptr) return {.kernel = kernel};
  notice_once(concat("the code object has no kernel ", function.kernel));
  return {.error = hip::kErrorInvalidDeviceFunction};
}

}  // namespace compass
