// SPDX-License-Identifier: MIT
#include <dlfcn.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdlib>

#include "capture/exec_calls.h"
#include "capture/hooks/runtime.h"
#include "capture/recorder.h"

/// What the recorder does when the process begins, forks, starts programs and ends.
namespace compass::capture {
namespace {

using Exit = void (*)(int);

Exit real_exit_at_once() {
  static const auto real = reinterpret_cast<Exit>(real_dlsym(RTLD_NEXT, "_exit"));
  return real;
}

[[gnu::constructor]] void on_load() {
  Recorder::of_process();
  real_exit_at_once();
  prepare_exec_calls();
  Recorder::of_process().guarded([](Recorder& recorder) { recorder.prepare_call_sites(); });
  ::pthread_atfork([] { Recorder::of_process().before_fork(); },
                   [] { Recorder::of_process().after_fork_in_parent(); },
                   [] { Recorder::of_process().after_fork_in_child(); });
}

/// At exit(), after the program's own atexit handlers and destructors. A process that is killed
/// does not get here.
[[gnu::destructor]] void on_exit() {
  Recorder::of_process().guarded([](Recorder& recorder) { recorder.end(); });
}

/// How a forked child usually ends: nothing of the program's runs after this.
[[noreturn]] void exit_at_once(int status) {
  Recorder::of_process().guarded([](Recorder& recorder) { recorder.end_at_once(); });
  if (real_exit_at_once() != nullptr) real_exit_at_once()(status);
  for (;;) ::syscall(SYS_exit_group, status);
}

}  // namespace
}  // namespace compass::capture

// NOLINTBEGIN: the names are the C library's
extern "C" {
[[gnu::visibility("default")]] void _exit(int status) { compass::capture::exit_at_once(status); }
[[gnu::visibility("default")]] void _Exit(int status) noexcept {
  compass::capture::exit_at_once(status);
}
}
// NOLINTEND
