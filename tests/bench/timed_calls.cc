// SPDX-License-Identifier: MIT
// timed_calls: how long HIP calls keep the thread that makes them. Prints one line of JSON: for
// each case the median and the 99th percentile, in nanoseconds. recorder_cost.py compares two runs.
#include "measure.h"

void launch_empty(int* words);  // empty_kernel.hip
void launch_empty_with(int* words, int count);

namespace {

constexpr int kLaunches = 200'000, kSteps = 400;
constexpr int kLaunchesOfStep = 600, kCopiesOfStep = 12;
constexpr size_t kCopyBytes = 4096;

double now_ns() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<double>(now.tv_sec) * 1e9 + static_cast<double>(now.tv_nsec);
}

/// Of each of `count` times that `work(n)` is done.
template <class Work>
std::vector<double> times_of(int count, Work work) {
  std::vector<double> times(count);
  for (int n = 0; n < count; ++n) {
    const double start = now_ns();
    work(n);
    times[n] = now_ns() - start;
  }
  return times;
}

/// `calls`: of which each time is.
void print(const char* name, std::vector<double> times, int calls, const char* end) {
  std::sort(times.begin(), times.end());
  std::printf("\"%s\": [%.1f, %.1f]%s", name, times[times.size() / 2] / calls,
              times[times.size() * 99 / 100] / calls, end);
}

void decode_step(int* words, char* device, const char* host) {
  for (int launch = 0; launch < kLaunchesOfStep; ++launch) {
    if (launch % (kLaunchesOfStep / kCopiesOfStep) == 0) {
      bench::check(hipMemcpyAsync(device, host, kCopyBytes, hipMemcpyHostToDevice, nullptr),
                   "copy");
    }
    launch_empty_with(words, -launch);
  }
}

}  // namespace

int main() {
  void *words = nullptr, *device = nullptr, *host = nullptr;
  bench::check(hipMalloc(&words, kCopyBytes), "hipMalloc");
  bench::check(hipMalloc(&device, kCopyBytes), "hipMalloc");
  bench::check(hipHostMalloc(&host, kCopyBytes, 0), "hipHostMalloc");
  int* const ints = static_cast<int*>(words);
  times_of(1000, [&](int) { launch_empty(ints); });  // loads and decodes
  std::printf("{");
  print("launch", times_of(kLaunches, [&](int) { launch_empty(ints); }), 1, ", ");
  print("launch_varying", times_of(kLaunches, [&](int n) { launch_empty_with(ints, -n); }), 1,
        ", ");
  const auto step = [&](int) {
    decode_step(ints, static_cast<char*>(device), static_cast<const char*>(host));
  };
  print("decode_step", times_of(kSteps, step), kLaunchesOfStep, "}\n");
  bench::check(hipDeviceSynchronize(), "hipDeviceSynchronize");
  bench::check(hipGetLastError(), "a launch");
  return 0;
}
