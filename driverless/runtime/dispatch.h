// SPDX-License-Identifier: MIT
#pragma once

#include <span>

#include "driverless/runtime/entry_call.h"

namespace compass {

/// Each name that the library exports is a jump through a table to what does the call: AMD's
/// dispatch tables (ir/hip/dispatch_table.h), as far as they go, and one of our own for the rest.
/// So a tool sees calls that no symbol lookup shows, and a call costs no more than the jump.
struct DispatchTables {
  void* runtime_table;
  void* compiler_table;
  std::span<const EntryCall> calls;  ///< those that are implemented, as they are without a tool
};

/// Made by generate_exports.py.
const DispatchTables& dispatch_tables();

}  // namespace compass
