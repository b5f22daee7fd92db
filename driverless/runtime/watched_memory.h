// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>

#include "ir/base/result.h"

namespace compass {

/// Host memory of which the runtime hears when the program touches it: how a host that polls
/// memory, without a call, gets work to run that is kept back.
///
/// The memory is a file mapped twice. The runtime uses one mapping and hears nothing; the program's
/// is watched with userfaultfd, so that system calls into it work and are heard too. The first
/// two touches of a place see what is there; the next, each 10 ms after the one before or more, is a
/// poll. (Two, since one access is heard twice where its thread gets no turn for so long.) A touch
/// costs the program about 20 us, and nothing while memory is not armed.
/// Threads: any; `on_poll` runs on a thread of its own, while the thread that touched waits.
class WatchedMemory {
 public:
  /// Fails where the system refuses userfaultfd, as many containers do.
  static Result<std::unique_ptr<WatchedMemory>> create(std::function<void()> on_poll);
  WatchedMemory(const WatchedMemory&) = delete;
  WatchedMemory& operator=(const WatchedMemory&) = delete;
  ~WatchedMemory();

  /// Puts zeros at `program`, page-aligned, in place of what is mapped there; gives the runtime's
  /// mapping of the same bytes.
  Result<std::byte*> add(std::byte* program, std::uint64_t size_bytes);
  /// Ends both mappings of what was added at `program`.
  void remove(std::byte* program);

  /// From here on touches are heard.
  void arm();
  /// From here on they are not.
  void disarm();

 private:
  struct Mapping {
    std::byte* runtime = nullptr;
    std::uint64_t size_bytes = 0;
  };

  WatchedMemory(int faults, int wake, std::function<void()> on_poll)
      : faults_(faults), wake_(wake), on_poll_(std::move(on_poll)) {}
  void listen();
  int patience_ms();
  enum class Page : std::uint8_t { kExists, kMissing };
  void on_touch(std::uint64_t address, Page page);
  void let_pass(std::uint64_t address, Page page) const;
  void hear_again();

  int faults_;
  int wake_;
  std::function<void()> on_poll_;
  std::mutex mutex_;  // of what follows
  bool armed_ = false;
  bool ends_ = false;
  std::map<std::byte*, Mapping> mappings_;
  struct Touched {
    int times = 0;
    bool open = false;  // its page
  };
  std::map<std::uint64_t, Touched> touched_;  // by address; since arm()
  std::thread listener_;
};

}  // namespace compass
