// SPDX-License-Identifier: MIT
#include <fstream>
#include <iterator>
#include <optional>

#include "driverless/runtime/allocations.h"
#include "driverless/runtime/api.h"

namespace compass::hip {
namespace {

/// A library is a module by another name, and its kernels are functions.
Module module_of(Library library) { return reinterpret_cast<Module>(library); }

Error add_module(Device& device, LoadedCode code, Module* module) {
  if (code.error != kSuccess) return code.error;
  *module = device.platform.modules.add(std::move(code), device.ordinal);
  return kSuccess;
}

std::optional<Bytes> read_file(const char* path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return std::nullopt;
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  if (file.bad()) return std::nullopt;
  const ByteView bytes = as_byte_view(text);
  return Bytes(bytes.begin(), bytes.end());
}

/// Runs `body` with the module behind `module`.
template <class Body>
Error with_module(Module module, Body body) {
  return with_device([&](Device& device) {
    ModuleState* const state = device.platform.modules.find(module);
    return state == nullptr ? kErrorInvalidHandle : body(device.platform, *state);
  });
}

}  // namespace

// Captures allow to load code, as engines compile kernels when they first need them.
Error hipModuleLoad(Module* module, const char* path) {
  return with_device([&](Device& device) {
    if (module == nullptr || path == nullptr) return kErrorInvalidValue;
    const std::optional<Bytes> file = read_file(path);
    if (!file) return kErrorFileNotFound;
    return add_module(device, load_file(device.platform.agent, *file), module);
  });
}

Error hipModuleLoadData(Module* module, const void* image) {
  return with_device([&](Device& device) {
    if (module == nullptr || image == nullptr) return kErrorInvalidValue;
    const auto* const start = static_cast<const std::byte*>(image);
    return add_module(device, load_image(device.platform.agent, start), module);
  });
}

// The options are of compilers.
Error hipModuleLoadDataEx(Module* module, const void* image, unsigned, void*, void**) {
  return hipModuleLoadData(module, image);
}

Error hipModuleLoadFatBinary(Module* module, const void* fat_binary) {
  return hipModuleLoadData(module, fat_binary);
}

Error hipModuleUnload(Module module) {
  return with_device_uncaptured([&](Device& device) {
    return device.platform.modules.remove(module) ? kSuccess : kErrorInvalidHandle;
  });
}

Error hipModuleGetFunction(Function* function, Module module, const char* name) {
  if (function == nullptr || name == nullptr) return note_error(kErrorInvalidValue);
  return with_module(module, [&](Platform& platform, ModuleState& state) {
    const Function found = platform.modules.function_in(state, name);
    if (found == nullptr) return kErrorNotFound;
    *function = found;
    return kSuccess;
  });
}

Error hipModuleGetFunctionCount(unsigned* count, Module module) {
  if (count == nullptr) return note_error(kErrorInvalidValue);
  return with_module(module, [&](Platform&, const ModuleState& state) {
    *count = static_cast<unsigned>(Agent::kernel_count(*state.code.code_object));
    return kSuccess;
  });
}

// Either result may be left out.
Error hipModuleGetGlobal(void** pointer, std::size_t* size_bytes, Module module, const char* name) {
  if (name == nullptr) return note_error(kErrorInvalidValue);
  return with_module(module, [&](Platform&, const ModuleState& state) {
    const auto found = Agent::find_variable(*state.code.code_object, name);
    if (!found) return kErrorNotFound;
    // NOLINTNEXTLINE(performance-no-int-to-ptr): a device address
    if (pointer != nullptr) *pointer = reinterpret_cast<void*>(found->address.value);
    if (size_bytes != nullptr) *size_bytes = found->size_bytes;
    return kSuccess;
  });
}

Error hipLibraryLoadData(Library* library, const void* image, void**, void**, unsigned, void**,
                         void**, unsigned) {
  return hipModuleLoadData(reinterpret_cast<Module*>(library), image);
}

Error hipLibraryLoadFromFile(Library* library, const char* path, void**, void**, unsigned, void**,
                             void**, unsigned) {
  return hipModuleLoad(reinterpret_cast<Module*>(library), path);
}

Error hipLibraryUnload(Library library) { return hipModuleUnload(module_of(library)); }

Error hipLibraryGetKernel(Function* kernel, Library library, const char* name) {
  return hipModuleGetFunction(kernel, module_of(library), name);
}

Error hipLibraryGetKernelCount(unsigned* count, Library library) {
  return hipModuleGetFunctionCount(count, module_of(library));
}

}  // namespace compass::hip
