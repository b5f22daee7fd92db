// SPDX-License-Identifier: MIT
#include "driverless/runtime/fat_binaries.h"

#include <algorithm>

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
  std::erase_if(functions_,
                [fat_binary](const auto& entry) { return entry.second.fat_binary == fat_binary; });
  std::erase_if(binaries_, [fat_binary](const auto& binary) { return binary.get() == fat_binary; });
}

void FatBinaries::add_function(FatBinary* fat_binary, const void* host_function,
                               std::string_view kernel) {
  functions_[host_function] = {
      .fat_binary = fat_binary, .kernel = std::string(kernel), .loaded = nullptr};
}

RegisteredFunction* FatBinaries::find_function(const void* host_function) {
  const auto at = functions_.find(host_function);
  return at == functions_.end() ? nullptr : &at->second;
}

}  // namespace compass
