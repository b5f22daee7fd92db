// SPDX-License-Identifier: MIT
#include "driverless/runtime/dispatch.h"

#include <dlfcn.h>

#include "driverless/runtime/abi_major.h"
#include "ir/hip/dispatch_table.h"

namespace compass {
namespace {

// AMD's runtimes have tables since 6.2.
constexpr int kFirstMajor = 6;

/// Offers the tables to a tool of this process, before anybody can have called.
[[gnu::constructor]] void offer_tables() {
  const DispatchTables& known = dispatch_tables();
  set_entry_calls(known.calls);
  if (abi_major() < kFirstMajor || ::dlsym(RTLD_DEFAULT, hip::kConfigure) == nullptr) return;
  const auto set = reinterpret_cast<hip::SetApiTable>(::dlsym(RTLD_DEFAULT, hip::kSetApiTable));
  if (set == nullptr) return;
  const auto version = static_cast<std::uint64_t>(abi_major()) * 10'000;
  void* runtime_table = known.runtime_table;
  void* compiler_table = known.compiler_table;
  // A tool that refuses a table has no part in the calls; they need none.
  [[maybe_unused]] int status = set(hip::kRuntimeTable.data(), version, 0, &runtime_table, 1);
  status = set(hip::kCompilerTable.data(), version, 0, &compiler_table, 1);
}

}  // namespace
}  // namespace compass
