// SPDX-License-Identifier: MIT
#include <dlfcn.h>

#include <cstdio>
#include <cstring>
#include <initializer_list>

#include "capture/testing/scenario.h"

/// Reaches HIP as Python programs do: by opening a library, in a scope of its own.
///   opening_program runtime LIBRARY SCENARIO   the runtime itself, each call looked up in it
///   opening_program plugin LIBRARY SCENARIO    a library that is linked with the runtime
///   opening_program lookups LIBRARY -          prints what dlsym answers

namespace {

int run_through_lookups(void* runtime, const char* scenario) {
  Hip hip{};
#define HIP_CALL(name) hip.name = reinterpret_cast<decltype(hip.name)>(::dlsym(runtime, #name));
#include "capture/testing/calls.def"
#undef HIP_CALL
  return run_scenario(scenario, hip);
}

/// Prints whether it is there, and the error without the library that it begins with.
void print_lookup(const char* what, void* handle, const char* name) {
  ::dlerror();
  const void* address = ::dlsym(handle, name);
  const char* error = ::dlerror();
  const char* reason = error == nullptr ? nullptr : std::strstr(error, ": ");
  std::printf("%s %s: %s%s\n", what, name, address == nullptr ? "absent" : "found",
              reason == nullptr ? "" : reason);
}

int print_lookups(const char* library) {
  for (void* scope : {RTLD_DEFAULT, ::dlopen(nullptr, RTLD_LAZY)}) {
    print_lookup("before", scope, "hipMalloc");
    print_lookup("before", scope, "malloc");
  }
  void* runtime = ::dlopen(library, RTLD_NOW | RTLD_LOCAL);
  if (runtime == nullptr) return 1;
  print_lookup("in the runtime", runtime, "hipMalloc");
  print_lookup("in the runtime", runtime, "hipGetDevice");
  print_lookup("in the runtime", runtime, "hipNoSuchCall");
  print_lookup("in the runtime", runtime, "hipMemsetD8");
  print_lookup("next", RTLD_NEXT, "malloc");
  void* again = ::dlsym(runtime, "hipMalloc");
  std::printf("same answer: %d\n", again == ::dlsym(runtime, "hipMalloc"));
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) return 64;
  if (std::strcmp(argv[1], "lookups") == 0) return print_lookups(argv[2]);
  void* library = ::dlopen(argv[2], RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) return 1;
  if (std::strcmp(argv[1], "runtime") == 0) return run_through_lookups(library, argv[3]);
  const auto run = reinterpret_cast<int (*)(const char*)>(::dlsym(library, "run_linked"));
  return run == nullptr ? 1 : run(argv[3]);
}
