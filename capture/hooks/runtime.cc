// SPDX-License-Identifier: MIT
#include "capture/hooks/runtime.h"

#include <dlfcn.h>
#include <link.h>

#include <string>

#include "ir/hip/runtime_name.h"

namespace compass::capture {
namespace {

const HookedCall hooked_calls[] = {
#define HOOK(name, result, parameters) \
  {#name, reinterpret_cast<void*>(&::name), &known_real<&::name>, &dispatched_real<&::name>},
#include "capture/hooks/hip_api.def"
#undef HOOK
};

/// dl_iterate_phdr's callback: keeps the first loaded library that is a HIP runtime by its name.
int keep_runtime_path(dl_phdr_info* library, std::size_t, void* path) {
  if (!hip::is_runtime_file(library->dlpi_name)) return 0;
  *static_cast<std::string*>(path) = library->dlpi_name;
  return 1;
}

}  // namespace

const HookedCall* find_hooked_call(std::string_view name) {
  if (!name.starts_with("hip") && !name.starts_with("__hip")) return nullptr;
  for (const HookedCall& call : hooked_calls) {
    if (call.name == name) return &call;
  }
  return nullptr;
}

void* find_in_runtime(const char* name) {
  if (void* next = real_dlsym(RTLD_NEXT, name)) return next;
  std::string path;
  ::dl_iterate_phdr(&keep_runtime_path, &path);
  return path.empty() ? nullptr : find_in_library(path.c_str(), name);
}

void* find_in_library(const char* path, const char* name) {
  void* handle = ::dlopen(path, RTLD_LAZY | RTLD_NOLOAD);
  if (handle == nullptr) return nullptr;
  void* address = real_dlsym(handle, name);
  ::dlclose(handle);
  return address;
}

void* find_beside(void* function, const char* name) {
  Dl_info library{};
  // In a dispatch table another tool's function may stand before the runtime's.
  if (void* runtime = dispatching_runtime()) function = runtime;
  if (::dladdr(function, &library) == 0 || library.dli_fname == nullptr) return nullptr;
  return find_in_library(library.dli_fname, name);
}

}  // namespace compass::capture
