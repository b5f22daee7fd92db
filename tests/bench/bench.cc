// SPDX-License-Identifier: MIT
// bench KERNELS DECODER CASE: runs one kernel of fixtures/bench on the CPU, every access checked,
// one thread, and prints one line of JSON: nanoseconds of CPU time for each wave-instruction, and
// the same source compiled for the CPU as a ratio. Loading and decoding are not in it. Beside it
// the same without a shadow (no byte states, last writers and access summaries) and with unknown
// inputs (every value is followed through registers), and what the bounds of one memory instruction
// cost.
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
#include "driverless/interp/level.h"
#include "driverless/interp/row.h"
#include "driverless/interp/whole_wave.h"
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

enum class Tracking : std::uint8_t { kKnown, kUnknown, kNone };

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

  void map(Agent& agent, Tracking tracking) {
    for (std::size_t i = 0; i < buffers.size(); ++i) {
      const DeviceAddress base{kFirstBuffer + i * kStride};
      const std::uint64_t size = buffers[i].size() * sizeof(float);
      // What no program allocated has no shadow.
      const std::uint32_t id = tracking == Tracking::kNone ? 0 : static_cast<std::uint32_t>(i + 1);
      auto mapped = agent.memory().map({.base = base,
                                        .size_bytes = size,
                                        .host = reinterpret_cast<std::byte*>(buffers[i].data()),
                                        .id = {id}});
      if (!mapped) fail(mapped.error().message);
      const bool is_known = tracking == Tracking::kKnown;
      agent.memory().note_write(base, size, is_known ? ByteState::kKnown : ByteState::kUnknown, 0);
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

/// One kernel on an agent of its own, decoded and with its pages touched.
struct Subject {
  Subject(const BenchCase& bench, const Bytes& elf, const char* decoder, Tracking tracking)
      : agent(*arch::find("gfx950"), decoder), arguments(bench) {
    const LoadedCodeObject* code = expect(agent.load(elf));
    arguments.map(agent, tracking);
    dispatch = {.kernel = Agent::find_kernel(*code, bench.name),
                .grid_workgroups = {bench.workgroups, 1, 1},
                .workgroup_workitems = {64, 1, 1},
                .explicit_kernarg = arguments.kernarg,
                .record = 1};
    if (dispatch.kernel == nullptr) fail(std::string("no kernel ") + bench.name);
    launch();
    instructions = agent.wave_instructions();
  }
  void launch() { expect(agent.dispatch(dispatch, observer)); }
  double ns() {
    const double seconds = seconds_of([this] { launch(); });
    return seconds * 1e9 / static_cast<double>(instructions);
  }

  Agent agent;
  Arguments arguments;
  NoFaults observer;
  Dispatch dispatch;
  std::uint64_t instructions = 0;
};

/// The bounds check of one plain load of consecutive words, many times, as frames are compiled.
struct BoundsFrame {
  static constexpr int kTimes = 100'000;

  template <isa::HostLevel Level>
  static void run(Wavefront& wave, const interp::Op&) {
    std::uint64_t address[kLanes];
    for (unsigned lane = 0; lane < kLanes; ++lane) address[lane] = kFirstBuffer + 4 * lane;
    for (int n = 0; n < kTimes; ++n) {
      const interp::AddressSpan span = interp::span_of(interp::active_lanes(wave), address, 4);
      if (wave.workgroup->find_region({span.lowest}, span.highest + 4 - span.lowest) == nullptr)
        std::abort();
      address[n % kLanes] = kFirstBuffer + 4 * static_cast<unsigned>(n % kLanes);
      __asm__ volatile("" : : "r"(address) : "memory");
    }
  }
};

double bounds_ns(Agent& agent) {
  constexpr interp::Handler kHandlers[] = {interp::run_baseline<BoundsFrame>,
                                           interp::run_avx2<BoundsFrame>,
                                           interp::run_avx512<BoundsFrame>};
  Workgroup group;
  group.memory = &agent.memory();
  Wavefront wave;
  wave.workgroup = &group;
  wave.set_sgpr64(kExecLo, ~std::uint64_t{0});
  const auto handler = kHandlers[static_cast<unsigned>(interp::host_level())];
  return seconds_of([&] { handler(wave, interp::Op{}); }) * 1e9 / BoundsFrame::kTimes;
}

void run(const BenchCase& bench, const char* kernels, const char* decoder) {
  const Bytes elf = read(kernels);
  Subject all(bench, elf, decoder, Tracking::kKnown);
  Subject unknown(bench, elf, decoder, Tracking::kUnknown);
  Subject bare(bench, elf, decoder, Tracking::kNone);
  std::vector<float> native_result(bench.elements);
  const auto native = [&] {
    bench.native(all.arguments.buffers[0].data(), all.arguments.buffers[1].data(),
                 native_result.data(), bench.n, bench.native_workgroups);
  };
  native();
  if (native_result != all.arguments.buffers[2]) fail("the results differ from the CPU's");
  std::vector<double> ns, ratios, without_shadow, with_unknown, bounds;
  for (int n = 0; n < kRuns; ++n) {
    ns.push_back(all.ns());
    ratios.push_back(ns.back() * static_cast<double>(all.instructions) / 1e9 / seconds_of(native));
    without_shadow.push_back(bare.ns());
    with_unknown.push_back(unknown.ns());
    bounds.push_back(bounds_ns(all.agent));
  }
  std::printf(
      "{\"case\": \"%s\", \"unit\": \"ns/wave-instruction\", \"median\": %.2f, "
      "\"minimum\": %.2f, \"runs\": %d, \"wave_instructions\": %llu, \"times_native\": %.0f, "
      "\"without_shadow\": %.2f, \"unknown_inputs\": %.2f, \"bounds_ns_per_access\": %.2f}\n",
      bench.name, median(ns), *std::min_element(ns.begin(), ns.end()), kRuns,
      static_cast<unsigned long long>(all.instructions), median(ratios), median(without_shadow),
      median(with_unknown), median(bounds));
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
