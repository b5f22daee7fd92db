// SPDX-License-Identifier: MIT
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>

namespace compass {

/// A thread that calls the program's functions, one after the other. It starts with the first of
/// them and ends with this, once the function that it is in has returned. Threads: any.
class HostFunctions {
 public:
  HostFunctions() = default;
  HostFunctions(const HostFunctions&) = delete;
  HostFunctions& operator=(const HostFunctions&) = delete;
  ~HostFunctions();

  /// Calls `function` soon, on the thread.
  void call(std::function<void()> function);

  /// Whether this is such a thread: it must not wait for streams, which may be waiting for it.
  static bool is_this_thread();

 private:
  void serve();

  std::mutex mutex_;
  std::condition_variable added_;
  std::deque<std::function<void()>> functions_;
  bool ends_ = false;
  std::thread thread_;
};

}  // namespace compass
