// SPDX-License-Identifier: MIT
#include "driverless/runtime/host_functions.h"

#include <utility>

namespace compass {
namespace {

thread_local bool is_host_function_thread = false;

}  // namespace

HostFunctions::~HostFunctions() {
  {
    const std::lock_guard lock(mutex_);
    ends_ = true;
  }
  added_.notify_one();
  if (thread_.joinable()) thread_.join();
}

void HostFunctions::call(std::function<void()> function) {
  {
    const std::lock_guard lock(mutex_);
    functions_.push_back(std::move(function));
    if (!thread_.joinable()) thread_ = std::thread([this] { serve(); });
  }
  added_.notify_one();
}

void HostFunctions::serve() {
  is_host_function_thread = true;
  std::unique_lock lock(mutex_);
  for (;;) {
    added_.wait(lock, [this] { return ends_ || !functions_.empty(); });
    if (ends_) return;
    const std::function<void()> next = std::move(functions_.front());
    functions_.pop_front();
    lock.unlock();
    next();
    lock.lock();
  }
}

bool HostFunctions::is_this_thread() { return is_host_function_thread; }

}  // namespace compass
