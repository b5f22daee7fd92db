// SPDX-License-Identifier: MIT

// told_calls COUNT [END]: makes COUNT rounds of a copy to the device, 4 KiB that say the round's
// number again and again, and a launch that is given it; 0: without end. It writes a byte to its
// standard output once a call has returned: 'c' and 'l'. END, in the middle: "abort" ends it so,
// "close" closes its files but the standard ones and uses their numbers for others.

#include <hip/hip_runtime.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

__global__ void take(int* words, int round) {
  if (round < 0) words[threadIdx.x] = round;
}

namespace {

constexpr size_t kWords = 1024, kBytes = kWords * sizeof(int);

void tell(char what) {
  if (write(STDOUT_FILENO, &what, 1) != 1) std::exit(3);
}

void close_files() {
  std::FILE* const other = std::tmpfile();
  const int descriptor = dup2(fileno(other), 3);
  for (int number = 4; number < 1024; ++number) close(number);
  for (int number = 690; number < 720; ++number) dup2(descriptor, number);
}

void go_to_an_end(const char* end) {
  if (std::strcmp(end, "abort") == 0) std::abort();
  if (std::strcmp(end, "close") == 0) close_files();
}

}  // namespace

int main(int argc, char** argv) {
  const int count = argc > 1 ? std::atoi(argv[1]) : 0;
  int* words = nullptr;
  if (hipMalloc(reinterpret_cast<void**>(&words), kBytes) != hipSuccess) return 2;
  std::vector<int> host(kWords);
  for (int round = 1; count == 0 || round <= count; ++round) {
    if (argc > 2 && round == count / 2) go_to_an_end(argv[2]);
    std::fill(host.begin(), host.end(), round);
    if (hipMemcpy(words, host.data(), kBytes, hipMemcpyHostToDevice) != hipSuccess) return 2;
    tell('c');
    take<<<1, 64>>>(words, round);
    if (hipGetLastError() != hipSuccess) return 2;
    tell('l');
  }
  return 0;
}
