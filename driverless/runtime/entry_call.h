// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string>

namespace compass {

/// A call of HIP, and the function that does it.
struct EntryCall {
  const char* name;
  void* function;
};

/// What name_of_entry_call() knows. Before that it knows none. They must stay.
void set_entry_calls(std::span<const EntryCall> calls);

/// The name of the HIP call that the program has made and this thread is in: of the functions of
/// this library on the stack, down to the first that is not of it, the outermost that does a call.
/// Empty where there is none. Costs microseconds.
std::string name_of_entry_call();

}  // namespace compass
