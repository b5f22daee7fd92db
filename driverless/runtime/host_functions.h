// SPDX-License-Identifier: MIT
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>

namespace compass {

/// A thread that calls the program's functions, one after the other. It starts with the first of
/// them and never ends. Threads: any.
class HostFunctions {
 public:
  /// Calls `function` soon, on the thread.
  void call(std::function<void()> function);

  /// Whether this is that thread: it must not wait for streams, which may be waiting for it.
  static bool is_this_thread();

 private:
  struct State {
    std::mutex mutex;
    std::condition_variable added;
    std::deque<std::function<void()>> functions;
  };
  State* state_ = nullptr;  // the thread's too, so never destroyed
};

}  // namespace compass
