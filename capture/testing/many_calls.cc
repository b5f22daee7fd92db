// SPDX-License-Identifier: MIT
#include "capture/testing/many_calls.h"

#include <pthread.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace {

constexpr int kMany = 5000;

void call(const Hip& hip) {
  for (int n = 0; n < kMany; ++n) hip.hipMemset(nullptr, n, 8);
}

int threads() {
  const std::filesystem::directory_iterator tasks("/proc/self/task");
  return static_cast<int>(std::distance(begin(tasks), end(tasks)));
}

volatile std::sig_atomic_t signals_taken = 0;

}  // namespace

int many_calls_and_a_signal(const Hip& hip) {
  call(hip);
  std::signal(SIGUSR1, [](int) { signals_taken = signals_taken + 1; });
  sigset_t blocked;
  ::sigemptyset(&blocked);
  ::sigaddset(&blocked, SIGUSR1);
  ::pthread_sigmask(SIG_BLOCK, &blocked, nullptr);
  ::kill(::getpid(), SIGUSR1);
  ::usleep(20'000);
  const int before = signals_taken;
  ::pthread_sigmask(SIG_UNBLOCK, &blocked, nullptr);
  std::printf("%d threads, %d then %d signals\n", threads(), before, signals_taken);
  return 0;
}

int many_calls_and_the_main_thread_ends(const Hip& hip) {
  call(hip);
  ::pthread_exit(nullptr);
}

int many_calls_without_room_for_a_thread(const Hip& hip) {
  constexpr std::size_t kLessThanAStack = 4 << 20;
  std::size_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  rlimit limit{};
  ::getrlimit(RLIMIT_AS, &limit);
  limit.rlim_cur = pages * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE)) + kLessThanAStack;
  ::setrlimit(RLIMIT_AS, &limit);
  call(hip);
  std::printf("%d threads\n", threads());
  return 0;
}

int many_calls_on_both_sides_of_a_fork(const Hip& hip) {
  call(hip);
  const pid_t child = ::fork();
  call(hip);
  if (child == 0) std::exit(threads());
  int status = 0;
  ::waitpid(child, &status, 0);
  std::printf("%d threads, %d in the child\n", threads(), WEXITSTATUS(status));
  return 0;
}
