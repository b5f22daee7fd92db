// SPDX-License-Identifier: MIT
#include "driverless/runtime/entry_call.h"

#include <dlfcn.h>
#include <unwind.h>

#include <cstdint>

namespace compass {
namespace {

struct Walk {
  const void* library = nullptr;  ///< where this one starts
  const char* name = nullptr;     ///< of the outermost so far
};

/// _Unwind_Backtrace's callback, for each frame from the innermost on.
_Unwind_Reason_Code look_at(_Unwind_Context* frame, void* state) {
  Walk& walk = *static_cast<Walk*>(state);
  // One before the return address lies in the call, and so in the calling function.
  // NOLINTNEXTLINE(performance-no-int-to-ptr): an address of code
  const auto* const place = reinterpret_cast<const void*>(_Unwind_GetIP(frame) - 1);
  Dl_info symbol{};
  if (::dladdr(place, &symbol) == 0 || symbol.dli_fbase != walk.library) return _URC_END_OF_STACK;
  if (symbol.dli_sname != nullptr) walk.name = symbol.dli_sname;
  return _URC_NO_REASON;
}

}  // namespace

std::string name_of_entry_call() {
  Dl_info own{};
  if (::dladdr(reinterpret_cast<const void*>(&look_at), &own) == 0) return {};
  Walk walk{own.dli_fbase, nullptr};
  _Unwind_Backtrace(&look_at, &walk);
  return walk.name == nullptr ? std::string() : walk.name;
}

}  // namespace compass
