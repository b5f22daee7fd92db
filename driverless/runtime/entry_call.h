// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace compass {

/// The name of the HIP call that the program has made and this thread is in: of the functions of
/// this library on the stack, down to the first that is not of it, the outermost that has a name
/// outside. Empty where there is none. Costs microseconds.
std::string name_of_entry_call();

}  // namespace compass
