// SPDX-License-Identifier: MIT
#include <pthread.h>

#include "capture/recorder.h"

/// What the recorder does when the process begins, forks and ends.
namespace compass::capture {
namespace {

[[gnu::constructor]] void on_load() {
  Recorder::of_process();
  ::pthread_atfork([] { Recorder::of_process().before_fork(); },
                   [] { Recorder::of_process().after_fork_in_parent(); },
                   [] { Recorder::of_process().after_fork_in_child(); });
}

/// At exit(), after the program's own atexit handlers and destructors. A process that is killed, or
/// leaves by _exit(), does not get here.
[[gnu::destructor]] void on_exit() {
  Recorder::of_process().guarded([](Recorder& recorder) { recorder.end(); });
}

}  // namespace
}  // namespace compass::capture
