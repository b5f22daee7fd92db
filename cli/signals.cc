// SPDX-License-Identifier: MIT
#include "cli/signals.h"

#include <unistd.h>

#include <ctime>
#include <utility>

namespace compass::cli {
namespace {

/// Ends Interruption's thread; nobody else sends it to a thread.
constexpr int kOver = SIGURG;

template <std::size_t N>
sigset_t set_of(const std::array<int, N>& signals, int one_more) {
  sigset_t set;
  ::sigemptyset(&set);
  for (const int signal : signals) {
    // What is ignored, as by nohup, stays so.
    struct sigaction action {};
    const bool is_ignored =
        ::sigaction(signal, nullptr, &action) == 0 && action.sa_handler == SIG_IGN;
    if (!is_ignored) ::sigaddset(&set, signal);
  }
  ::sigaddset(&set, one_more);
  return set;
}

}  // namespace

HeldSignals::HeldSignals() {
  // Where ended children are ignored, none could be waited for.
  struct sigaction standard {};
  standard.sa_handler = SIG_DFL;
  ::sigaction(SIGCHLD, &standard, &child_before_);
  const sigset_t held = set_of(kSignalsForProgram, SIGCHLD);
  ::pthread_sigmask(SIG_BLOCK, &held, &mask_before_);
}

HeldSignals::~HeldSignals() {
  // What came too late for the program must not end us after all.
  const sigset_t held = set_of(kSignalsForProgram, SIGCHLD);
  const timespec no_time{};
  while (::sigtimedwait(&held, nullptr, &no_time) > 0) {
  }
  withdraw();
}

void HeldSignals::withdraw() const {
  ::sigaction(SIGCHLD, &child_before_, nullptr);
  release();
}

void HeldSignals::release() const { ::pthread_sigmask(SIG_SETMASK, &mask_before_, nullptr); }

void HeldSignals::hold() const {
  const sigset_t held = set_of(kSignalsForProgram, SIGCHLD);
  ::pthread_sigmask(SIG_BLOCK, &held, nullptr);
}

Interruption::Interruption(std::function<void()> clean_up) : clean_up_(std::move(clean_up)) {
  sigset_t over;
  ::sigemptyset(&over);
  ::sigaddset(&over, kOver);
  ::pthread_sigmask(SIG_BLOCK, &over, nullptr);
  listener_ = std::thread([this] { listen(); });
}

Interruption::~Interruption() {
  over_ = true;
  ::pthread_kill(listener_.native_handle(), kOver);
  listener_.join();
}

void Interruption::listen() {
  const sigset_t awaited = set_of(kEndingSignals, kOver);
  int signal = 0;
  while (::sigwait(&awaited, &signal) != 0 || (signal == kOver && !over_)) {
  }
  if (signal == kOver) return;
  clean_up_();
  ::_exit(128 + signal);
}

}  // namespace compass::cli
