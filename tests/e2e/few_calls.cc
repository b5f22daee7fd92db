// SPDX-License-Identifier: MIT
// A program with a few HIP calls and a chosen end: `few_calls exit N` or `few_calls kill`.
#include <csignal>
#include <cstddef>
#include <cstdlib>
#include <cstring>

// NOLINTBEGIN(readability-identifier-naming): the names are HIP's
extern "C" {
int hipMalloc(void** address, std::size_t size_bytes);
int hipMemset(void* address, int value, std::size_t size_bytes);
int hipDeviceSynchronize();
}
// NOLINTEND(readability-identifier-naming)

int main(int argc, char** argv) {
  void* memory = nullptr;
  if (hipMalloc(&memory, 4096) != 0 || hipMemset(memory, 7, 4096) != 0) return 99;
  if (hipDeviceSynchronize() != 0) return 99;
  if (argc == 2 && std::strcmp(argv[1], "kill") == 0) return std::raise(SIGKILL);
  return argc == 3 ? std::atoi(argv[2]) : 99;
}
