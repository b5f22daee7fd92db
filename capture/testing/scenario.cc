// SPDX-License-Identifier: MIT
#include "capture/testing/scenario.h"

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>
#include <utility>
#include <vector>

#include "capture/annotate/compass/annotate.h"
#include "capture/testing/call_families.h"
#include "capture/testing/code_file.h"
#include "capture/testing/many_calls.h"

namespace {

constexpr unsigned kHostToDevice = compass::hip::kMemcpyHostToDevice;
constexpr unsigned kDeviceToHost = compass::hip::kMemcpyDeviceToHost;
constexpr unsigned kDefault = compass::hip::kMemcpyDefault;
constexpr std::size_t kMiB = 1 << 20;

/// What a host function is to the runtime: an address.
const char scale_function = 0;

void copy_and_fill(const Hip& hip, void* device, void* pinned, compass::hip::Stream stream) {
  char host[8] = "content";
  hip.hipMemcpy(device, host, sizeof host, kHostToDevice);
  std::memcpy(pinned, "pinned", 7);
  hip.hipMemcpyAsync(device, pinned, 7, kDefault, stream);
  hip.hipMemcpyWithStream(host, device, 7, kDeviceToHost, stream);
  hip.hipMemcpy(device, device, 4, kDefault);
  hip.hipMemcpy(device, host, 0, kHostToDevice);
  const std::vector<char> large(kMiB + 1);
  hip.hipMemcpy(device, large.data(), large.size(), kHostToDevice);
  hip.hipMemset(device, 0x1AB, 64);
  hip.hipMemsetD32Async(device, -2, 16, stream);
  std::printf("copied back %s\n", host);
}

void launch(const Hip& hip, void* device, compass::hip::Stream stream) {
  std::uint8_t shift = 3;
  std::uint32_t count = 100;
  void* arguments[] = {&device, &shift, &count};
  const int launched =
      hip.hipLaunchKernel(&scale_function, {2, 1, 1}, {64, 1, 1}, arguments, 256, stream);
  const int refused = hip.hipLaunchKernel(nullptr, {}, {}, arguments, 0, stream);
  std::printf("launched %d, refused %d\n", launched, refused);
}

void wait_for_events(const Hip& hip, compass::hip::Stream stream) {
  compass::hip::Event event = nullptr;
  hip.hipEventCreateWithFlags(&event, compass::hip::kEventDisableTiming);
  hip.hipEventRecord(event, stream);
  hip.hipStreamWaitEvent(nullptr, event, 0);
  hip.hipEventSynchronize(event);
  hip.hipStreamSynchronize(stream);
  hip.hipDeviceSynchronize();
  hip.hipEventDestroy(event);
}

/// Every kind of call once, with annotations before and between them.
int all_calls(const Hip& hip) {
  void** code = register_code(hip, &scale_function);
  compass_phase("warmup");
  void* device = nullptr;
  void* pinned = nullptr;
  void* never = nullptr;
  compass::hip::Stream stream = nullptr;
  const int refused = hip.hipMalloc(&never, std::size_t{1} << 40);
  std::printf("allocated %d, refused %d\n", hip.hipMalloc(&device, 2 * kMiB), refused);
  hip.hipHostMalloc(&pinned, 4096, 0);
  hip.hipStreamCreateWithFlags(&stream, compass::hip::kStreamNonBlocking);
  const std::int64_t shape[] = {2, -1};
  const compass_buffer_info buffer = {device, "x", "weight", "bf16", 2, shape, nullptr};
  compass_buffer(&buffer);
  const std::uint64_t requests[] = {7, 8};
  const compass_step_info step = {"decode", 1, 0, 2, 4, 2, requests, nullptr, nullptr};
  compass_step_begin(&step);
  copy_and_fill(hip, device, pinned, stream);
  launch(hip, device, stream);
  wait_for_events(hip, stream);
  compass_step_end();
  hip.hipStreamDestroy(stream);
  hip.hipHostFree(pinned);
  hip.hipFree(nullptr);
  hip.hipFree(device);
  std::printf("wrong free %d\n", hip.hipFree(reinterpret_cast<void*>(1)));
  if (code != nullptr) hip.__hipUnregisterFatBinary(code);
  return 0;
}

/// Every annotation there is, right and wrong, and no call.
int annotate_only(const Hip& hip) {
  register_code(hip, &scale_function);
  const compass_row_range reserved[] = {{0, 0}, {4, 5}};
  const compass_pool_info pool = {nullptr, "kv", "block", 6, 512, 2, reserved, "scheduler"};
  compass_pool(&pool);
  const std::int64_t values[] = {-1};
  const compass_sentinel_info sentinel = {nullptr, "write-index", "kv", "slot", 1, values};
  compass_sentinel(&sentinel);
  compass_sleep(2, "kv");
  compass_wake(nullptr);
  const std::uint64_t requests[] = {7, 8};
  const compass_report_info report = {values, 8, 2, requests, nullptr};
  compass_report(&report);
  compass_block_allocate(nullptr, values, 8, "b");
  compass_block_free(values);
  compass_rank(-1, 8);
  compass_rank(3, -8);
  compass_pool(nullptr);
  compass_sentinel(nullptr);
  compass_report(nullptr);
  compass_buffer(nullptr);
  compass_step_begin(nullptr);
  compass_phase(nullptr);
  const compass_buffer_info huge = {values, nullptr, nullptr, nullptr, ~0u, values, nullptr};
  compass_buffer(&huge);
  return 0;
}

/// Says that HIP is called only after an annotation.
int annotate_and_ask(const Hip& hip) {
  compass_phase("warmup");
  return hip.hipDeviceSynchronize();
}

int no_calls(const Hip& hip) { return register_code(hip, &scale_function) == nullptr ? 1 : 0; }

int allocate_and_free(const Hip& hip, std::size_t size_bytes) {
  void* device = nullptr;
  hip.hipMalloc(&device, size_bytes);
  return hip.hipFree(device);
}

/// Forks three children: one calls HIP and exits, one calls nothing, one is another program.
int fork_children(const Hip& hip) {
  register_code(hip, &scale_function);
  allocate_and_free(hip, 100);
  for (const char* job : {"call", "nothing", "exec"}) {
    const pid_t child = ::fork();
    if (child == 0) {
      if (job[0] == 'e') ::execl("/bin/true", "true", nullptr);
      std::exit(job[0] == 'c' ? allocate_and_free(hip, 200) : 0);
    }
    ::waitpid(child, nullptr, 0);
  }
  return allocate_and_free(hip, 300);
}

int use_threads(const Hip& hip) {
  constexpr int kThreads = 4;
  constexpr int kRounds = 200;
  std::vector<std::thread> threads;
  threads.reserve(kThreads);
  for (int i = 0; i < kThreads; ++i) {
    threads.emplace_back([&hip] {
      for (int round = 0; round < kRounds; ++round) allocate_and_free(hip, 64);
    });
  }
  for (std::thread& thread : threads) thread.join();
  return 0;
}

/// Says after each allocation how many there were, until it is killed.
int allocate_for_ever(const Hip& hip) {
  for (unsigned count = 1;; ++count) {
    void* device = nullptr;
    hip.hipMalloc(&device, 64);
    std::printf("%u\n", count);
    std::fflush(stdout);
  }
}

/// What the runtime refuses.
int fail(const Hip& hip) {
  register_code(hip, &scale_function);
  void* device = nullptr;
  hip.hipMalloc(&device, 64);
  std::uint8_t shift = 3;
  std::uint32_t count = 100;
  void* arguments[] = {&device, &shift, &count};
  hip.hipLaunchKernel(&scale_function, {0, 1, 1}, {64, 1, 1}, arguments, 0, nullptr);
  hip.hipLaunchKernel(nullptr, {}, {}, arguments, 0, nullptr);
  hip.hipMemcpy(nullptr, device, 8, kDefault);
  hip.hipMemset(nullptr, 0, 8);
  hip.hipMemset(device, 0xEE, 8);
  hip.hipFree(device);  // the byte says that it is to fail
  hip.hipMemset(device, 0, 8);
  hip.hipFree(device);
  hip.hipFree(device);
  hip.hipFree(reinterpret_cast<void*>(1));
  return 0;
}

int launch_for_ever(const Hip& hip) {
  register_code(hip, &scale_function);
  void* device = nullptr;
  hip.hipMalloc(&device, 64);
  std::uint8_t shift = 3;
  std::uint32_t count = 100;
  void* arguments[] = {&device, &shift, &count};
  std::printf("launching\n");
  std::fflush(stdout);
  return hip.hipLaunchKernel(&scale_function, {1, 1, 1}, {1, 1, 1}, arguments, 0, nullptr);
}

/// Asks for something when no memory is left for the recorder to remember it.
int exhaust_memory(const Hip& hip) {
  struct Block {
    Block* next;
  };
  constexpr std::size_t kLargest = std::size_t{1} << 20;
  constexpr std::size_t kGrain = 16;
  void* device = nullptr;
  hip.hipMalloc(&device, 64);
  rlimit before{};
  ::getrlimit(RLIMIT_AS, &before);
  const rlimit none{1, before.rlim_max};
  ::setrlimit(RLIMIT_AS, &none);
  Block* blocks = nullptr;
  for (std::size_t size = kLargest; size >= kGrain; size -= size > 4096 ? size / 2 : kGrain) {
    while (auto* block = static_cast<Block*>(std::malloc(size))) {
      block->next = blocks;
      blocks = block;
    }
  }
  compass::hip::Event event = nullptr;
  const int status = hip.hipEventCreateWithFlags(&event, 0);
  while (blocks != nullptr) std::free(std::exchange(blocks, blocks->next));
  ::setrlimit(RLIMIT_AS, &before);
  return status;
}

struct Scenario {
  const char* name;
  int (*run)(const Hip&);
};
constexpr Scenario kScenarios[] = {
    {"all", &all_calls},
    {"none", &no_calls},
    {"annotate", &annotate_only},
    {"annotate-and-ask", &annotate_and_ask},
    {"fork", &fork_children},
    {"threads", &use_threads},
    {"for-ever", &allocate_for_ever},
    {"fail", &fail},
    {"launch-for-ever", &launch_for_ever},
    {"exhausted", &exhaust_memory},
    {"modules", &launch_modules},
    {"launches", &launch_in_every_way},
    {"memory", &allocate_in_every_way},
    {"rows", &copy_rows},
    {"symbols", &use_symbols_and_values},
    {"many-and-signal", &many_calls_and_a_signal},
    {"many-and-main-ends", &many_calls_and_the_main_thread_ends},
    {"many-without-room", &many_calls_without_room_for_a_thread},
    {"many-and-fork", &many_calls_on_both_sides_of_a_fork},
};

}  // namespace

int run_scenario(const char* name, const Hip& hip) {
  for (const Scenario& scenario : kScenarios) {
    if (std::strcmp(scenario.name, name) == 0) return scenario.run(hip);
  }
  return 64;
}
