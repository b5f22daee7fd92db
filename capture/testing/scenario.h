// SPDX-License-Identifier: MIT
#pragma once

#include "capture/hooks/hip_api.h"

/// The HIP calls that the test programs make, however they reached them.
struct Hip {
#define HIP_CALL(name) decltype(&::name) name;
#include "capture/testing/calls.def"
#undef HIP_CALL
};

/// Does what `name` says and returns the exit status; 64 where there is no such scenario.
int run_scenario(const char* name, const Hip& hip);
