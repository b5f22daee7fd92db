// SPDX-License-Identifier: MIT
#include "driverless/runtime/abi_major.h"

int compass::abi_major() { return 5; }
