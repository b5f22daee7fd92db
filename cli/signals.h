// SPDX-License-Identifier: MIT
#pragma once

#include <pthread.h>

#include <array>
#include <atomic>
#include <csignal>
#include <functional>
#include <thread>

namespace compass::cli {

/// What asks a process to end.
inline constexpr std::array kEndingSignals{SIGINT, SIGTERM, SIGHUP, SIGQUIT};
/// What a user may send to us and means for the program.
inline constexpr std::array kSignalsForProgram{SIGINT,  SIGTERM, SIGHUP, SIGQUIT,
                                               SIGUSR1, SIGUSR2, SIGCONT};

/// Keeps signals for the program, and those of ended children, waiting while it lives: no file of
/// ours is left half written. Whoever can react takes them: run_program() and Interruption.
class HeldSignals {
 public:
  HeldSignals();
  HeldSignals(const HeldSignals&) = delete;
  HeldSignals& operator=(const HeldSignals&) = delete;
  ~HeldSignals();

  /// In a child that becomes the program: as if we were not there.
  void withdraw() const;
  /// Lets them through, and holds them again.
  void release() const;
  void hold() const;

 private:
  sigset_t mask_before_{};
  struct sigaction child_before_ {};
};

/// While it lives, a held signal that asks us to end has `clean_up()` called, on a thread of its
/// own, and ends us with 128 + its number. Where that has begun, the destructor does not return.
class Interruption {
 public:
  explicit Interruption(std::function<void()> clean_up);
  Interruption(const Interruption&) = delete;
  Interruption& operator=(const Interruption&) = delete;
  ~Interruption();

 private:
  void listen();

  std::function<void()> clean_up_;
  std::atomic<bool> over_{false};
  std::thread listener_;
};

}  // namespace compass::cli
