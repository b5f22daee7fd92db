// SPDX-License-Identifier: MIT
// huge_pool NAME BLOCKS VALUE: allocates 250 GB in so many blocks and fills each with the 32-bit
// value, again and again. Prints one line of JSON: milliseconds of CPU time for all of it, the
// first time too, and by how many MB the process's resident memory grew then.
#include "measure.h"

extern "C" hipError_t hipMemsetD32(void* to, int value, size_t count);

namespace {

constexpr size_t kPoolBytes = 250'000'000'000;
constexpr int kRuns = 5;

/// A line of /proc/self/status.
double field_mb(const char* format) {
  std::FILE* const status = std::fopen("/proc/self/status", "r");
  char line[256];
  double kb = 0;
  while (std::fgets(line, sizeof line, status) != nullptr) {
    if (std::sscanf(line, format, &kb) == 1) break;
  }
  std::fclose(status);
  return kb / 1024;
}

struct Pool {
  std::vector<void*> blocks;
  size_t block_bytes;

  void fill(unsigned value) {
    for (void*& block : blocks) {
      bench::check(hipMalloc(&block, block_bytes), "hipMalloc");
      bench::check(value == 0 ? hipMemset(block, 0, block_bytes)
                              : hipMemsetD32(block, static_cast<int>(value), block_bytes / 4),
                   "a fill");
    }
  }

  /// The first and last bytes of each block, through the API.
  void verify(unsigned value) const {
    for (void* const block : blocks) {
      for (size_t at : {size_t{0}, block_bytes / 4 * 4 - 4}) {
        unsigned word = ~value;
        bench::check(hipMemcpy(&word, static_cast<char*>(block) + at, 4, hipMemcpyDeviceToHost),
                     "hipMemcpy");
        if (word != value) bench::check(hipErrorUnknown, "a block does not hold the value");
      }
    }
  }

  void free() {
    for (void* const block : blocks) bench::check(hipFree(block), "hipFree");
  }
};

}  // namespace

int main(int argc, char** argv) {
  const long blocks = argc == 4 ? std::atol(argv[2]) : 0;
  if (blocks < 1) {
    std::fprintf(stderr, "usage: huge_pool NAME BLOCKS VALUE\n");
    return 1;
  }
  const auto value = static_cast<unsigned>(std::strtoul(argv[3], nullptr, 0));
  int devices = 0;
  bench::check(hipGetDeviceCount(&devices), "hipGetDeviceCount");
  Pool pool{std::vector<void*>(static_cast<size_t>(blocks)),
            kPoolBytes / static_cast<size_t>(blocks)};
  std::vector<double> ms, free_ms;
  const double before_mb = field_mb("VmHWM: %lf");
  double peak_mb = 0;
  for (int n = 0; n < kRuns; ++n) {
    ms.push_back(bench::seconds_of([&] { pool.fill(value); }) * 1e3);
    if (n == 0) peak_mb = field_mb("VmHWM: %lf") - before_mb;
    pool.verify(value);
    free_ms.push_back(bench::seconds_of([&] { pool.free(); }) * 1e3);
  }
  std::printf(
      "{\"case\": \"%s\", \"unit\": \"ms\", \"median\": %.1f, \"minimum\": %.1f, \"runs\": %d, "
      "\"first\": %.1f, \"freeing\": %.1f, \"peak_resident_mb\": %.1f}\n",
      argv[1], bench::median(ms), *std::min_element(ms.begin(), ms.end()), kRuns, ms.front(),
      bench::median(free_ms), peak_mb);
  return 0;
}
