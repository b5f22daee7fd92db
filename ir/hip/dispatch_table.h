// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace compass::hip {

/// HIP's dispatch tables (ROCm 6.2 and later): the runtime's exported functions call through them
/// what implements them, and a tool in the process may change them. The runtime offers each once,
/// before or at the first call, to a function kSetApiTable if the process also has a kConfigure.
///
/// A table is its own size in bytes, then pointers to functions.
inline constexpr std::string_view kRuntimeTable = "hip";
inline constexpr std::string_view kCompilerTable = "hip_compiler";

inline constexpr std::string_view kRuntimeTableNames[] = {
#define ENTRY(name) #name,
#include "ir/hip/dispatch_table.def"
#undef ENTRY
};
inline constexpr std::string_view kCompilerTableNames[] = {
#define ENTRY(name) #name,
#include "ir/hip/compiler_dispatch_table.def"
#undef ENTRY
};

inline constexpr const char* kConfigure = "rocprofiler_configure";
inline constexpr const char* kSetApiTable = "rocprofiler_set_api_table";
extern "C" {
/// The runtime's `name` and version (major * 10000 + minor * 100 + patch), which of several of that
/// name it is, and its tables. 0: taken.
using SetApiTable = int (*)(const char* name, std::uint64_t version, std::uint64_t instance,
                            void** tables, std::uint64_t table_count);
}

/// The functions in a table. Empty where its size is none that a table has.
inline std::span<void*> functions_in(void* table) {
  constexpr std::size_t kMostBytes = std::size_t{1} << 16;
  if (table == nullptr) return {};
  const std::size_t size_bytes = *static_cast<const std::size_t*>(table);
  if (size_bytes > kMostBytes || size_bytes % sizeof(void*) != 0 || size_bytes == 0) return {};
  return {static_cast<void**>(table) + 1, size_bytes / sizeof(void*) - 1};
}

}  // namespace compass::hip
