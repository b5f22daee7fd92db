// SPDX-License-Identifier: MIT
#include "ir/hip/dispatch_table.h"

#include <dlfcn.h>
#include <link.h>

#include <cstring>
#include <string>

#include "capture/hooks/runtime.h"
#include "capture/hooks/watched_calls.h"
#include "capture/recorder.h"

/// Hooks in the runtime's dispatch tables: what sees calls through pointers that neither the
/// dynamic linker nor dlsym gave out. A linked call still reaches its hook first, which goes on
/// behind the table; so each is recorded once.
namespace compass::capture {
namespace {

/// The tables whose functions are ours. Of each kind, one in a process.
std::atomic<void*> runtime_table{nullptr};
std::atomic<void*> compiler_table{nullptr};

/// The hooks go on to functions of this library, whatever the program closes.
void keep_loaded(void* place) {
  Dl_info library{};
  if (::dladdr(place, &library) == 0 || library.dli_fname == nullptr) return;
  [[maybe_unused]] void* const kept =
      ::dlopen(library.dli_fname, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE);
}

void put_hook(void*& function, const HookedCall& call) {
  call.dispatched_real->store(function, std::memory_order_release);
  std::atomic_ref<void*>(function).store(call.hook, std::memory_order_release);
}

/// Puts hooks in the place of the functions that have one. Those without are watched where they
/// may do work.
void take(std::span<void*> functions, std::span<const std::string_view> names) {
  for (std::size_t i = 0; i < functions.size(); ++i) {
    if (functions[i] == nullptr) continue;
    const HookedCall* const call = i < names.size() ? find_hooked_call(names[i]) : nullptr;
    if (call != nullptr) {
      put_hook(functions[i], *call);
    } else if (i >= names.size()) {
      watch_call(functions[i], concat("function ", i, " of HIP's dispatch table"));
    } else if (may_do_work(names[i])) {
      watch_call(functions[i], std::string(names[i]));
    }
  }
}

void take_table(void* table, std::atomic<void*>& taken, std::span<const std::string_view> names) {
  const std::span<void*> functions = hip::functions_in(table);
  if (functions.empty()) {
    return Recorder::say_once(
        "the HIP runtime's dispatch table has no size that is known: calls are seen only where "
        "they "
        "are linked or looked up");
  }
  void* expected = nullptr;
  if (taken.compare_exchange_strong(expected, table)) {
    keep_loaded(table);
    take(functions, names);
  } else if (expected != table) {
    Recorder::of_process().lose(kTwoRuntimes);
  }
}

int keep_profiler_path(dl_phdr_info* library, std::size_t, void* path) {
  const char* slash = std::strrchr(library->dlpi_name, '/');
  if (slash == nullptr || std::strncmp(slash, "/librocprofiler-sdk.so", 22) != 0) return 0;
  *static_cast<std::string*>(path) = library->dlpi_name;
  return 1;
}

/// Another tool of this kind in the process, which would have been given the tables without us.
hip::SetApiTable find_other_tool() {
  void* found = real_dlsym(RTLD_NEXT, hip::kSetApiTable);
  std::string path;
  if (found == nullptr) ::dl_iterate_phdr(&keep_profiler_path, &path);
  if (!path.empty()) found = find_in_library(path.c_str(), hip::kSetApiTable);
  return reinterpret_cast<hip::SetApiTable>(found);
}

void take_tables(std::string_view name, std::span<void*> tables) {
  if (tables.empty()) return;
  if (name == hip::kRuntimeTable) {
    take_table(tables[0], runtime_table, hip::kRuntimeTableNames);
  } else if (name == hip::kCompilerTable) {
    take_table(tables[0], compiler_table, hip::kCompilerTableNames);
  }
}

}  // namespace

void* dispatching_runtime() { return runtime_table.load(std::memory_order_acquire); }

}  // namespace compass::capture

// NOLINTBEGIN: the names are ROCm's
extern "C" {

/// That it is there makes runtimes offer their tables. Null: nothing is asked of a profiler.
[[gnu::visibility("default")]] void* rocprofiler_configure(std::uint32_t, const char*,
                                                           std::uint32_t, void*) {
  return nullptr;
}

[[gnu::visibility("default")]] int rocprofiler_set_api_table(const char* name,
                                                             std::uint64_t version,
                                                             std::uint64_t instance, void** tables,
                                                             std::uint64_t table_count) {
  using namespace compass::capture;
  // The other tool first: what it puts into the table, the hooks then go on to.
  const auto other = find_other_tool();
  const int result = other == nullptr ? 0 : other(name, version, instance, tables, table_count);
  if (name == nullptr || tables == nullptr) return result;
  Recorder::of_process().guarded([&](Recorder& recorder) {
    if (recorder.is_usable()) take_tables(name, {tables, table_count});
  });
  return result;
}
}
// NOLINTEND
