// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <string_view>

#include "ir/hip/dispatch_table.h"

/// What a test program and its runtime with a dispatch table agree on.

/// Where the functions of that table are whose name it has.
inline std::size_t index_in_table(std::string_view name) {
  const auto& names = compass::hip::kRuntimeTableNames;
  return static_cast<std::size_t>(std::find(std::begin(names), std::end(names), name) -
                                  std::begin(names));
}

extern "C" {
/// Makes a table that says it has this size, offers it, and gives its functions. hipMalloc and
/// hipMemset are what they are; all others make one number of all kinds of arguments.
[[gnu::visibility("default")]] void** offer_table(std::size_t function_count,
                                                  std::size_t size_bytes);
using OfferTable = decltype(&offer_table);
using MixArguments = long (*)(long, long, long, long, long, long, double, double, long);
}
