// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <span>
#include <string_view>

#include "capture/hooks/hip_api.h"

namespace compass::capture {

/// The runtime's function behind a hook; null until it is known.
template <auto Hook>
inline constinit std::atomic<void*> known_real{nullptr};

/// What the hook's place in the runtime's dispatch table held before; null: it is in none. What the
/// runtime exports would lead back to the hook.
template <auto Hook>
inline constinit std::atomic<void*> dispatched_real{nullptr};

template <auto Hook>
inline constexpr const char* kName = nullptr;
#define HOOK(name, result, parameters) \
  template <>                          \
  inline constexpr const char* kName<&::name> = #name;
#include "capture/hooks/hip_api.def"
#undef HOOK

/// A row of hip_api.def.
struct HookedCall {
  std::string_view name;
  void* hook;
  std::atomic<void*>* real;
  std::atomic<void*>* dispatched_real;
};

/// The row of this name, or null.
const HookedCall* find_hooked_call(std::string_view name);

/// The hook of that function of a runtime, or the function itself where there is none.
void* hook_of(void* function);

/// The C library's own dlsym; never null once the library is usable at all.
void* real_dlsym(void* handle, const char* name);

/// `name` in the runtime that a linked call would have reached without us: the next library in the
/// program's search order, or a runtime that is loaded in a scope of its own (a Python
/// extension's). Null where no runtime is loaded.
void* find_in_runtime(const char* name);

/// The runtime whose dispatch table holds the hooks, by an address in it; null: none does.
void* dispatching_runtime();

/// What is lost where a second runtime comes.
inline constexpr std::string_view kTwoRuntimes =
    "two HIP runtimes in one process: calls of the second are not recorded";

/// `name` in the loaded library of this path, or null. The library is not kept open for it: who
/// calls into it does that.
void* find_in_library(const char* path, const char* name);

/// `name` in the runtime that holds `function`, or null.
void* find_beside(void* function, const char* name);

/// The runtime's function behind `Hook`, or null where no runtime is loaded.
template <auto Hook>
decltype(Hook) real_call() {
  void* real = dispatched_real<Hook>.load(std::memory_order_acquire);
  if (real == nullptr) real = known_real<Hook>.load(std::memory_order_acquire);
  if (real == nullptr) {
    real = find_in_runtime(kName<Hook>);
    if (real != nullptr) known_real<Hook>.store(real, std::memory_order_release);
  }
  return reinterpret_cast<decltype(Hook)>(real);
}

}  // namespace compass::capture
