// SPDX-License-Identifier: MIT
#include "driverless/runtime/entry_call.h"

#include <dlfcn.h>
#include <unwind.h>

#include <algorithm>
#include <cstdint>

namespace compass {
namespace {

std::span<const EntryCall> entry_calls;

const char* name_of(const void* function) {
  const auto call = std::find_if(entry_calls.begin(), entry_calls.end(),
                                 [=](const EntryCall& each) { return each.function == function; });
  return call == entry_calls.end() ? nullptr : call->name;
}

struct Walk {
  const void* library = nullptr;  ///< where this one starts
  const char* name = nullptr;     ///< of the outermost so far
};

/// _Unwind_Backtrace's callback, for each frame from the innermost on.
_Unwind_Reason_Code look_at(_Unwind_Context* frame, void* state) {
  Walk& walk = *static_cast<Walk*>(state);
  // One before the return address lies in the call, and so in the calling function.
  // NOLINTNEXTLINE(performance-no-int-to-ptr): an address of code
  auto* const place = reinterpret_cast<void*>(_Unwind_GetIP(frame) - 1);
  Dl_info symbol{};
  if (::dladdr(place, &symbol) == 0 || symbol.dli_fbase != walk.library) return _URC_END_OF_STACK;
  const char* const name = name_of(_Unwind_FindEnclosingFunction(place));
  if (name != nullptr) walk.name = name;
  return _URC_NO_REASON;
}

}  // namespace

void set_entry_calls(std::span<const EntryCall> calls) { entry_calls = calls; }

std::string name_of_entry_call() {
  Dl_info own{};
  if (::dladdr(reinterpret_cast<const void*>(&look_at), &own) == 0) return {};
  Walk walk{own.dli_fbase, nullptr};
  _Unwind_Backtrace(&look_at, &walk);
  return walk.name == nullptr ? std::string() : walk.name;
}

}  // namespace compass
