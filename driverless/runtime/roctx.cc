// SPDX-License-Identifier: MIT

// libroctx64.so.4: the annotations that engines put into AMD's profiler. Nobody listens here;
// ranges nest and are numbered as its interface says. Also what librocprofiler-sdk-roctx.so adds to
// it.

#include <sys/types.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>

namespace {

constexpr std::uint32_t kVersionMajor = 4;
constexpr std::uint32_t kVersionMinor = 1;

thread_local int open_ranges = 0;
std::atomic<std::uint64_t> started_ranges = 0;

}  // namespace

// NOLINTBEGIN(readability-identifier-naming): the interface's names
#pragma GCC visibility push(default)
extern "C" {

std::uint32_t roctx_version_major() { return kVersionMajor; }
std::uint32_t roctx_version_minor() { return kVersionMinor; }

void roctxMarkA(const char*) {}

/// The level of the new range, from 0.
int roctxRangePushA(const char*) { return open_ranges++; }
/// The level of the range that ends; negative where none is open.
int roctxRangePop() { return open_ranges == 0 ? -1 : --open_ranges; }

std::uint64_t roctxRangeStartA(const char*) { return ++started_ranges; }
void roctxRangeStop(std::uint64_t) {}

int roctxGetThreadId(std::uint64_t* thread) {
  *thread = static_cast<std::uint64_t>(::gettid());
  return 0;
}
int roctxProfilerPause(std::uint64_t) { return 0; }
int roctxProfilerResume(std::uint64_t) { return 0; }
int roctxNameOsThread(const char*) { return 0; }
int roctxNameHsaAgent(const char*, const void*) { return 0; }
int roctxNameHipDevice(const char*, int) { return 0; }
int roctxNameHipStream(const char*, const void*) { return 0; }

}  // extern "C"
#pragma GCC visibility pop
// NOLINTEND(readability-identifier-naming)
