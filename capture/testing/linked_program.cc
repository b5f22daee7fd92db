// SPDX-License-Identifier: MIT
#include "capture/testing/scenario.h"

/// Reaches HIP as most programs do: the runtime is linked. Also built as a plugin, which brings the
/// runtime into a process whose main program does not know it.

namespace {

const Hip linked_hip = {
#define HIP_CALL(name) &::name,
#include "capture/testing/calls.def"
#undef HIP_CALL
};

}  // namespace

extern "C" [[gnu::visibility("default")]] int run_linked(const char* scenario) {
  return run_scenario(scenario, linked_hip);
}

int main(int argc, char** argv) { return argc == 2 ? run_linked(argv[1]) : 64; }
