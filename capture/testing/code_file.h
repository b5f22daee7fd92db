// SPDX-License-Identifier: MIT
#pragma once

#include "capture/testing/scenario.h"

/// The code object that COMPASS_TEST_CODE_OBJECT names, mapped; null where it is not there.
const void* map_code();

/// Registers it as a program's linked code would be, with `function` for its kernel.
void** register_code(const Hip& hip, const void* function);
