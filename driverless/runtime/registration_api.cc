// SPDX-License-Identifier: MIT
#include "driverless/runtime/api.h"
#include "driverless/runtime/runtime.h"

namespace compass::hip {

void** __hipRegisterFatBinary(const FatBinaryWrapper* wrapper) {
  Runtime& runtime = Runtime::get();
  const std::lock_guard lock(runtime.mutex());
  return reinterpret_cast<void**>(runtime.fat_binaries().add(wrapper));
}

void __hipUnregisterFatBinary(void** fat_binary) {
  Runtime& runtime = Runtime::get();
  const std::lock_guard lock(runtime.mutex());
  const FatBinary* const known = runtime.fat_binaries().find(fat_binary);
  if (known == nullptr) return;
  for (const ManagedVariable& variable : known->managed) {
    if (!variable.is_mapped) continue;
    const Error error = runtime.existing_platform()->memory.end(variable.storage);
    CHECK(error == kSuccess);
  }
  runtime.fat_binaries().remove(known);
}

void __hipRegisterFunction(void** fat_binary, const void* host_function, char*,
                           const char* device_name, unsigned, void*, void*, Dim3*, Dim3*, int*) {
  Runtime& runtime = Runtime::get();
  const std::lock_guard lock(runtime.mutex());
  FatBinary* const known = runtime.fat_binaries().find(fat_binary);
  if (known == nullptr || host_function == nullptr || device_name == nullptr) return;
  runtime.fat_binaries().add_function(known, host_function, device_name);
}

void __hipRegisterVar(void** fat_binary, void* variable, char*, char* device_name, int,
                      std::size_t size_bytes, int, int) {
  Runtime& runtime = Runtime::get();
  const std::lock_guard lock(runtime.mutex());
  FatBinary* const known = runtime.fat_binaries().find(fat_binary);
  if (known == nullptr || variable == nullptr || device_name == nullptr) return;
  runtime.fat_binaries().add_variable(known, variable, device_name, size_bytes);
}

// The variable's bytes are the host's copy of its initial value: host and kernels share them there.
void __hipRegisterManagedVar(void** fat_binary, void** pointer, void* initial_value,
                             const char* name, std::size_t size_bytes, unsigned) {
  if (pointer != nullptr) *pointer = initial_value;
  Runtime& runtime = Runtime::get();
  const std::lock_guard lock(runtime.mutex());
  FatBinary* const known = runtime.fat_binaries().find(fat_binary);
  if (known == nullptr || initial_value == nullptr || name == nullptr || size_bytes == 0) return;
  known->managed.push_back(
      {.name = name, .storage = static_cast<std::byte*>(initial_value), .size_bytes = size_bytes});
}

void __hipRegisterSurface(void**, void*, char*, char*, int, int) {}
void __hipRegisterTexture(void**, void*, char*, char*, int, int, int) {}

}  // namespace compass::hip
