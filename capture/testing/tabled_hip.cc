// SPDX-License-Identifier: MIT
#include "capture/testing/tabled_hip.h"

#include <dlfcn.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "ir/hip/abi.h"
#include "ir/hip/dispatch_table.h"

/// A runtime that programs reach only through its dispatch table.

namespace hip = compass::hip;

namespace {

constexpr std::size_t kMostTables = 2;
constexpr std::size_t kMostFunctions = 1000;

int allocate(void** pointer, std::size_t size_bytes) {
  *pointer = std::calloc(1, size_bytes);
  return hip::kSuccess;
}

int fill(void* to, int value, std::size_t size_bytes) {
  std::memset(to, value, size_bytes);
  return hip::kSuccess;
}

long mix(long a, long b, long c, long d, long e, long f, double x, double y, long on_stack) {
  const double both = x * 10 + y;
  return ((((((a * 10 + b) * 10 + c) * 10 + d) * 10 + e) * 10 + f) * 10 + on_stack) * 100 +
         static_cast<long>(both);
}

}  // namespace

// NOLINTBEGIN: the first two names are HIP's, and what the recorder asks
extern "C" {
[[gnu::visibility("default")]] int hipGetDevice(int* ordinal) {
  *ordinal = 0;
  return hip::kSuccess;
}
[[gnu::visibility("default")]] int hipGetDevicePropertiesR0600(void*, int) { return hip::kSuccess; }

void** offer_table(std::size_t function_count, std::size_t size_bytes) {
  static int offered = 0;
  static void* tables[kMostTables][kMostFunctions + 1];
  void** const table = tables[offered++];
  std::fill_n(table, function_count + 1, reinterpret_cast<void*>(&mix));
  std::memcpy(table, &size_bytes, sizeof size_bytes);
  const auto put = [&](std::string_view name, void* function) {
    const std::size_t index = index_in_table(name);
    if (index < function_count) table[index + 1] = function;
  };
  put("hipMalloc", reinterpret_cast<void*>(&allocate));
  put("hipMemset", reinterpret_cast<void*>(&fill));
  const auto set = reinterpret_cast<hip::SetApiTable>(::dlsym(RTLD_DEFAULT, hip::kSetApiTable));
  void* first = table;
  if (set != nullptr) set(hip::kRuntimeTable.data(), 70200, 0, &first, 1);
  return table + 1;
}
}
// NOLINTEND
