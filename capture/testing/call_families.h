// SPDX-License-Identifier: MIT
#pragma once

#include "capture/testing/scenario.h"

// Scenarios of the rarer calls.

int launch_modules(const Hip& hip);
int launch_in_every_way(const Hip& hip);
int allocate_in_every_way(const Hip& hip);
int copy_rows(const Hip& hip);
int use_symbols_and_values(const Hip& hip);
