// SPDX-License-Identifier: MIT
//
// A HIP runtime whose driver crashes or hangs when it is asked how many devices there are.
#include <unistd.h>

#include <cstdlib>
#include <cstring>

extern "C" int hipGetDeviceCount(int*) {
  const char* const mood = std::getenv("BROKEN_HIP");
  if (mood != nullptr && std::strcmp(mood, "hangs") == 0) {
    for (;;) ::pause();
  }
  std::abort();
}
