// SPDX-License-Identifier: MIT
// bench KERNELS DECODER CASE: runs one kernel of fixtures/bench on the CPU, every access checked,
// one thread, and prints one line of JSON: nanoseconds of CPU time for each wave-instruction, and
// the same source compiled for the CPU as a ratio. Loading and decoding are not in it.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <functional>
#include <iterator>
#include <string>
#include <vector>

#include "driverless/agent.h"
#include "driverless/arch/arch.h"
#include "tests/bench/native.h"

namespace compass {
namespace {

constexpr int kRuns = 7;
constexpr std::uint64_t kFirstBuffer = std::uint64_t{1} << 44, kStride = std::uint64_t{1} << 32;

using NativeKernel = void (*)(const float*, const float*, float*, unsigned, unsigned);

struct BenchCase {
  const char* name;
  unsigned n;           ///< the kernel's argument
  unsigned elements;    ///< of each buffer
  unsigned workgroups;  ///< of 64 work-items
  NativeKernel native;
  unsigned native_workgroups;
};

constexpr BenchCase kCases[] = {
    {"vector_add", 1u << 20, 1u << 20, (1u << 20) / 64, native_vector_add, (1u << 20) / 64},
    {"gemm_naive", 256, 65536, 1024, native_gemm, 1024},
    {"gemm_mfma", 256, 65536, 256, native_gemm, 1024},
};

[[noreturn]] void fail(const std::string& why) {
  std::fprintf(stderr, "bench: %s\n", why.c_str());
  std::exit(1);
}

template <class T>
T expect(Result<T> result) {
  if (!result) fail(result.error().message);
  return std::move(*result);
}

/// Any fault ends the measurement: what was measured would be something else.
class NoFaults : public Observer {
  void on_fault(const Fault& fault) override { fail("a fault at " + fault.instruction); }
  void on_stopped(std::uint64_t, const std::string& cause) override { fail(cause); }
};

/// Of this thread on a CPU: what else the machine does is not in it.
double cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

double seconds_of(const std::function<void()>& work) {
  const double start = cpu_seconds();
  work();
  return cpu_seconds() - start;
}

/// Three buffers of floats, a and b filled, and the kernel's arguments.
struct Arguments {
  explicit Arguments(const BenchCase& bench)
      : buffers(3, std::vector<float>(bench.elements)), kernarg(28) {
    for (unsigned i = 0; i < bench.elements; ++i) {
      buffers[0][i] = static_cast<float>(i % 17) - 8;
      buffers[1][i] = static_cast<float>(i % 13) - 6;
    }
    for (std::size_t i = 0; i < buffers.size(); ++i) {
      const std::uint64_t address = kFirstBuffer + i * kStride;
      std::memcpy(&kernarg[i * 8], &address, sizeof address);
    }
    std::memcpy(&kernarg[24], &bench.n, sizeof bench.n);
  }

  void map(Agent& agent) {
    for (std::size_t i = 0; i < buffers.size(); ++i) {
      const DeviceAddress base{kFirstBuffer + i * kStride};
      const std::uint64_t size = buffers[i].size() * sizeof(float);
      auto mapped = agent.memory().map({.base = base,
                                        .size_bytes = size,
                                        .host = reinterpret_cast<std::byte*>(buffers[i].data()),
                                        .id = {static_cast<std::uint32_t>(i + 1)}});
      if (!mapped) fail(mapped.error().message);
      agent.memory().note_write(base, size, ByteState::kKnown, 0);
    }
  }

  std::vector<std::vector<float>> buffers;
  Bytes kernarg;
};

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

Bytes read(const char* file) {
  std::ifstream stream(file, std::ios::binary);
  if (!stream) fail(std::string("cannot read ") + file);
  const std::string text((std::istreambuf_iterator<char>(stream)), {});
  const ByteView view = as_byte_view(text);
  return {view.begin(), view.end()};
}

void run(const BenchCase& bench, const char* kernels, const char* decoder) {
  Agent agent(*arch::find("gfx950"), decoder);
  const LoadedCodeObject* code = expect(agent.load(read(kernels)));
  Arguments arguments(bench);
  arguments.map(agent);
  NoFaults observer;
  const Dispatch dispatch{.kernel = Agent::find_kernel(*code, bench.name),
                          .grid_workgroups = {bench.workgroups, 1, 1},
                          .workgroup_workitems = {64, 1, 1},
                          .explicit_kernarg = arguments.kernarg,
                          .record = 1};
  if (dispatch.kernel == nullptr) fail(std::string("no kernel ") + bench.name);
  const auto launch = [&] { expect(agent.dispatch(dispatch, observer)); };
  std::vector<float> native_result(bench.elements);
  const auto native = [&] {
    bench.native(arguments.buffers[0].data(), arguments.buffers[1].data(), native_result.data(),
                 bench.n, bench.native_workgroups);
  };
  launch();  // decodes, and touches the pages
  native();
  if (native_result != arguments.buffers[2]) fail("the results differ from the CPU's");
  const std::uint64_t instructions = agent.wave_instructions();
  std::vector<double> ns, ratios;
  for (int n = 0; n < kRuns; ++n) {
    const double interpreted = seconds_of(launch), compiled = seconds_of(native);
    ns.push_back(interpreted * 1e9 / static_cast<double>(instructions));
    ratios.push_back(interpreted / compiled);
  }
  std::printf(
      "{\"case\": \"%s\", \"unit\": \"ns/wave-instruction\", \"median\": %.2f, "
      "\"minimum\": %.2f, \"runs\": %d, \"wave_instructions\": %llu, "
      "\"times_native\": %.0f}\n",
      bench.name, median(ns), *std::min_element(ns.begin(), ns.end()), kRuns,
      static_cast<unsigned long long>(instructions), median(ratios));
}

}  // namespace
}  // namespace compass

int main(int argc, char** argv) {
  if (argc != 4) compass::fail("usage: bench KERNELS DECODER CASE");
  for (const auto& bench : compass::kCases) {
    if (std::string(argv[3]) == bench.name) return compass::run(bench, argv[1], argv[2]), 0;
  }
  compass::fail(std::string("no case ") + argv[3]);
}
