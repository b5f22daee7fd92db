// SPDX-License-Identifier: MIT
// What nearly every file of this folder reads first, read once.
#include "driverless/runtime/runtime.h"
#include "driverless/runtime/submit.h"
