// SPDX-License-Identifier: MIT
#include "driverless/runtime/refusals.h"

#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <link.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include "driverless/runtime/error_state.h"
#include "driverless/runtime/error_texts.h"

namespace compass {
namespace {

constexpr int kHiprtcErrorInternalError = 11;

/// The file that holds the code at `address`. dladdr would wait for the dynamic linker's lock.
const char* file_of(const void* address) {
  dl_find_object object{};
  const bool found = ::_dl_find_object(const_cast<void*>(address), &object) == 0;
  if (!found || object.dlfo_link_map == nullptr) return "code of no library";
  const char* const name = object.dlfo_link_map->l_name;
  return name != nullptr && *name != '\0' ? name : ::program_invocation_name;
}

void say_once(Unimplemented& function, const void* caller, const char* error) {
  if (function.was_called.exchange(true)) return;
  char line[PATH_MAX + 256];
  const int length = std::snprintf(
      line, sizeof line,
      "compass-capture: %s is not implemented by the driverless runtime; %s gets %s\n",
      function.name, file_of(caller), error);
  const auto most = static_cast<int>(sizeof line) - 1;
  if (::write(STDERR_FILENO, line, static_cast<std::size_t>(std::clamp(length, 0, most))) < 0) {
    return;
  }
}

}  // namespace

hip::Error refuse(Unimplemented& function, const void* caller) {
  say_once(function, caller, name_of(hip::kErrorNotSupported));
  return note_error(hip::kErrorNotSupported);
}

int refuse_hiprtc(Unimplemented& function, const void* caller) {
  say_once(function, caller, "HIPRTC_ERROR_INTERNAL_ERROR");
  return kHiprtcErrorInternalError;
}

}  // namespace compass
