// SPDX-License-Identifier: MIT
#include <dlfcn.h>

#include <cstdint>
#include <string>
#include <string_view>

#include "driverless/runtime/api.h"
#include "driverless/runtime/error_state.h"

namespace compass::hip {
namespace {

// Which default stream the calls are to mean: what the caller was compiled for, the legacy one (1),
// the thread's own.
constexpr std::uint64_t kDefault = 0;
constexpr std::uint64_t kPerThreadStream = 2;

enum QueryResult : int { kFound = 0, kNotFound = 1 };

// From this version on, names whose structures changed in it mean the new ones.
constexpr int kVersionOfR0600 = 600;

/// This library, which is never unloaded.
void* self() {
  static void* const handle = [] {
    Dl_info info{};
    if (::dladdr(reinterpret_cast<const void*>(&self), &info) == 0)
      return static_cast<void*>(nullptr);
    return ::dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
  }();
  return handle;
}

/// The exported function called `name`. Other names would be searched in the C library too.
void* find(const std::string& name) {
  const bool is_of_hip = name.starts_with("hip") || name.starts_with("__hip");
  return is_of_hip && self() != nullptr ? ::dlsym(self(), name.c_str()) : nullptr;
}

void* find(const char* symbol, bool per_thread) {
  void* const function = per_thread ? find(std::string(symbol) + "_spt") : nullptr;
  return function != nullptr ? function : find(std::string(symbol));
}

Error query(const char* symbol, void** function, std::uint64_t flags, int* result) {
  const bool is_valid = symbol != nullptr && *symbol != '\0' && function != nullptr;
  if (!is_valid || flags > kPerThreadStream) return note_error(kErrorInvalidValue);
  *function = find(symbol, flags == kPerThreadStream);
  if (result != nullptr) *result = *function != nullptr ? kFound : kNotFound;
  return note_error(*function != nullptr ? kSuccess : kErrorInvalidValue);
}

}  // namespace

Error hipGetProcAddress(const char* symbol, void** function, int version, std::uint64_t flags,
                        int* result) {
  const std::string_view name = symbol == nullptr ? "" : symbol;
  const bool is_versioned = name == "hipGetDeviceProperties" || name == "hipChooseDevice";
  if (!is_versioned || version < kVersionOfR0600) return query(symbol, function, flags, result);
  return query(std::string(name).append("R0600").c_str(), function, flags, result);
}

Error hipGetDriverEntryPoint(const char* symbol, void** function, unsigned long long flags,
                             int* result) {
  return query(symbol, function, flags, result);
}

// The caller was compiled for per-thread default streams.
Error hipGetDriverEntryPoint_spt(const char* symbol, void** function, unsigned long long flags,
                                 int* result) {
  return query(symbol, function, flags == kDefault ? kPerThreadStream : flags, result);
}

}  // namespace compass::hip
