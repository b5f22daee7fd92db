// SPDX-License-Identifier: MIT
// empty_launch NAME ALLOCATIONS: what a launch costs that does nothing, while so many allocations
// live. Prints one line of JSON: nanoseconds of CPU time for each of 100,000 launches by `<<<>>>`,
// and for each of as many in a program that waits after every one.
#include "measure.h"

void launch_empty(int* words);  // empty_kernel.hip

namespace {

constexpr int kRuns = 7, kLaunches = 100'000;
constexpr size_t kAllocationBytes = 4096;

int* allocate(int allocations) {
  void* words = nullptr;
  for (int n = 0; n < allocations; ++n) {
    bench::check(hipMalloc(&words, kAllocationBytes), "hipMalloc");
  }
  return static_cast<int*>(words);
}

void launch(int* words) {
  for (int n = 0; n < kLaunches; ++n) launch_empty(words);
  bench::check(hipDeviceSynchronize(), "hipDeviceSynchronize");
}

void launch_and_wait(int* words) {
  for (int n = 0; n < kLaunches; ++n) {
    launch_empty(words);
    bench::check(hipDeviceSynchronize(), "hipDeviceSynchronize");
  }
}

}  // namespace

int main(int argc, char** argv) {
  const int allocations = argc == 3 ? std::atoi(argv[2]) : 0;
  if (allocations < 1) {
    std::fprintf(stderr, "usage: empty_launch NAME ALLOCATIONS\n");
    return 1;
  }
  int* const words = allocate(allocations);
  launch(words);  // loads and decodes
  std::vector<double> ns, waiting;
  for (int n = 0; n < kRuns; ++n) {
    ns.push_back(bench::seconds_of([&] { launch(words); }) * 1e9 / kLaunches);
    waiting.push_back(bench::seconds_of([&] { launch_and_wait(words); }) * 1e9 / kLaunches);
  }
  bench::check(hipGetLastError(), "a launch");
  std::printf(
      "{\"case\": \"%s\", \"unit\": \"ns/launch\", \"median\": %.0f, \"minimum\": %.0f, "
      "\"runs\": %d, \"waiting\": %.0f, \"allocations\": %d}\n",
      argv[1], bench::median(ns), *std::min_element(ns.begin(), ns.end()), kRuns,
      bench::median(waiting), allocations);
  return 0;
}
