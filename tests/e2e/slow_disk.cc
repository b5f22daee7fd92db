// SPDX-License-Identifier: MIT
// Preloaded, it makes the disk slow: whoever waits for it waits long.
#include <fcntl.h>

#include <ctime>

extern "C" int sync_file_range(int, off64_t, off64_t, unsigned) {
  const timespec time{0, 100'000'000};
  ::nanosleep(&time, nullptr);
  return 0;
}
